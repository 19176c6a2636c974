import type { Readiness } from '@va/core/adapter';
import { defineOpenRawRoute } from '../route/define-route.ts';
import type { RawResponse, RouteGroups } from '../route/route.ts';

/**
 * Liveness and readiness of one process, for orchestrators and load balancers. `/health` describes the whole service.
 */
export const probeRoutes: RouteGroups[string] = {
  live: defineOpenRawRoute({
    method: 'GET',
    path: '/health/live',
    scope: null,
    summary: 'Check that the process responds',
    content: [{ status: 200, description: 'The process responds.', mediaType: 'application/json' }],
    run: async () => response(200, { status: 'live' }),
  }),
  ready: defineOpenRawRoute({
    method: 'GET',
    path: '/health/ready',
    scope: null,
    summary: 'Check that the process accepts calls',
    content: [
      { status: 200, description: 'The process accepts calls.', mediaType: 'application/json' },
      { status: 503, description: 'The process refuses calls, with the reason.', mediaType: 'application/json' },
    ],
    async run({ host }) {
      const readiness = await host.readiness();
      return response(readiness.status === 'ready' ? 200 : 503, readiness);
    },
  }),
};

function response(status: number, content: Readiness | { readonly status: 'live' }): RawResponse {
  const body = JSON.stringify(content);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
  };
  return { status, headers, body };
}
