import { RequestError } from '@va/core';
import { defineOpenRawRoute } from '../routes/define-route.ts';
import type { RouteGroups } from '../routes/route.ts';
import { type MetricsOptions, mayRead } from './access.ts';

/** `/metrics`, with an access of its own: a key of the API belongs to one organization, and the figures are of all. */
export function metricsRoutes(options: MetricsOptions): RouteGroups[string] {
  const { source } = options;
  return {
    get: defineOpenRawRoute({
      method: 'GET',
      path: '/metrics',
      scope: null,
      summary: 'Get the figures of this process',
      content: [{ status: 200, description: 'Metrics of Prometheus.', mediaType: 'text/plain' }],
      async run({ request }) {
        if (!(await mayRead(options, request))) {
          throw new RequestError(401, 'unauthorized', 'These figures are for who holds the token of the metrics.');
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
