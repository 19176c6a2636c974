import { RequestError } from '@va/core';
import { defineOpenRawRoute } from '../route/define-route.ts';
import type { RouteGroups } from '../route/route.ts';
import { type MetricsOptions, mayRead } from './access.ts';

/**
 * Returns the route `/metrics`. It has its own access control, because an API key belongs to one organization and the
 * metrics cover all.
 */
export function metricsRoutes(options: MetricsOptions): RouteGroups[string] {
  const { source } = options;
  return {
    get: defineOpenRawRoute({
      method: 'GET',
      path: '/metrics',
      scope: null,
      summary: 'Get the metrics of this process',
      content: [{ status: 200, description: "Metrics in Prometheus' text format.", mediaType: 'text/plain' }],
      async run({ request }) {
        if (!(await mayRead(options, request))) {
          throw new RequestError(
            401,
            'unauthorized',
            'The metrics need the bearer token that the host configured for them.',
          );
        }
        const body = await source.read();
        const headers = {
          'content-type': source.contentType,
          'content-length': String(Buffer.byteLength(body)),
          'cache-control': 'no-store',
        };
        return { status: 200, headers, body };
      },
    }),
  };
}
