import { z } from 'zod';
import { component } from '../route/components.ts';
import { defineOpenRoute } from '../route/define-route.ts';

const check = z.object({ status: z.enum(['ok', 'failed']), message: z.string().optional() });

const healthSchema = component(
  'Health',
  z.object({
    status: z.enum(['ok', 'degraded', 'unavailable']),
    version: z.string(),
    timestamp: z.iso.datetime(),
    checks: z.record(z.string(), check),
  }),
);

export const health = {
  get: defineOpenRoute({
    method: 'GET',
    path: '/health',
    scope: null,
    summary: 'Check whether the service is healthy',
    status: { anyOf: [200, 503], of: ({ status }) => (status === 'unavailable' ? 503 : 200) },
    result: healthSchema,
    run: ({ host }) => host.health(),
  }),
};
