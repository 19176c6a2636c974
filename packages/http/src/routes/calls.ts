import { callSchema, paginationSchema } from '@va/core';
import { z } from 'zod';
import { serveRecording } from '../recording.ts';
import type { ScopedRoute } from './route.ts';

export const callRoutes: readonly ScopedRoute[] = [
  {
    method: 'GET',
    path: '/calls',
    scope: 'calls:read',
    response: z.object({ calls: z.array(callSchema), pagination: paginationSchema }),
    async handle({ host, principal, query }) {
      return { status: 200, body: await host.operations.calls.list(principal.orgId, query) };
    },
  },
  {
    method: 'GET',
    path: '/calls/:id',
    scope: 'calls:read',
    response: callSchema,
    async handle({ host, principal, params: { id = '' } }) {
      return { status: 200, body: await host.operations.calls.get(principal.orgId, id) };
    },
  },
  {
    method: 'GET',
    path: '/calls/:id/recording',
    scope: 'calls:read',
    response: null,
    async handle({ host, principal, params: { id = '' }, request }) {
      return serveRecording(await host.operations.calls.recording(principal.orgId, id), request);
    },
  },
];
