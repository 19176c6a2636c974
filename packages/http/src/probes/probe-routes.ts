import type { Readiness } from '@va/core';
import { defineOpenRawRoute } from '../routes/define-route.ts';
import type { RawAnswer, RouteGroups } from '../routes/route.ts';

/** What an orchestrator or a balancer asks of one process; `/health` tells people about the service. */
export const probeRoutes: RouteGroups[string] = {
  live: defineOpenRawRoute({
    method: 'GET',
    path: '/health/live',
    scope: null,
    summary: 'Tell that the process answers',
    content: [{ status: 200, description: 'It does.', mediaType: 'application/json' }],
    run: async () => answer(200, { status: 'live' }),
  }),
  ready: defineOpenRawRoute({
    method: 'GET',
    path: '/health/ready',
    scope: null,
    summary: 'Tell whether the process takes calls',
    content: [
      { status: 200, description: 'It does.', mediaType: 'application/json' },
      { status: 503, description: 'It does not, and why.', mediaType: 'application/json' },
    ],
    async run({ host }) {
      const readiness = await host.readiness();
      return answer(readiness.status === 'ready' ? 200 : 503, readiness);
    },
  }),
};

function answer(status: number, content: Readiness | { readonly status: 'live' }): RawAnswer {
  const body = JSON.stringify(content);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
  };
  return { status, headers, body };
}
