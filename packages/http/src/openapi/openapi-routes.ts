import { acceptsGzip } from '../engine/request/accept-encoding.ts';
import { descriptionLimit } from '../limits/rate-limits.ts';
import { defineOpenRawRoute } from '../route/define-route.ts';
import type { RouteGroups } from '../route/route.ts';
import { openapi } from './document.ts';
import { WrittenDescriptions } from './written-description.ts';

/** Returns the route `/openapi.json`. Its OpenAPI document is created on the first request. */
export function openApiRoutes(groups: () => RouteGroups): RouteGroups[string] {
  const descriptions = new WrittenDescriptions((apiPath) => openapi(groups(), { url: apiPath }));
  return {
    get: defineOpenRawRoute({
      method: 'GET',
      path: '/openapi.json',
      scope: null,
      summary: 'Get the OpenAPI document of the API',
      content: [{ status: 200, description: 'OpenAPI 3.1.', mediaType: 'application/json' }],
      limit: () => descriptionLimit,
      async run({ apiPath, request }) {
        const { plain, gzipped } = await descriptions.of(apiPath);
        const { body, etag, headers } = acceptsGzip(request.header('accept-encoding')) ? gzipped : plain;
        return {
          status: 200,
          headers: {
            'content-type': 'application/json',
            'content-length': String(body.byteLength),
            'cache-control': 'public, max-age=300',
            vary: 'Accept-Encoding',
            ...headers,
            etag,
          },
          body,
        };
      },
    }),
  };
}
