import { etagOf } from '../engine/etag.ts';
import { defineOpenRawRoute } from '../routes/define-route.ts';
import type { RouteGroups } from '../routes/route.ts';
import { openapi } from './document.ts';

/** `/openapi.json`: what `openapi` tells of the routes, written when it is first asked for. */
export function openApiRoutes(groups: () => RouteGroups): RouteGroups[string] {
  let written: { readonly apiPath: string; readonly body: string; readonly etag: string } | null = null;
  return {
    get: defineOpenRawRoute({
      method: 'GET',
      path: '/openapi.json',
      scope: null,
      summary: 'Get this description of the API',
      content: [{ status: 200, description: 'OpenAPI 3.1.', mediaType: 'application/json' }],
      async run({ apiPath }) {
        if (written?.apiPath !== apiPath) {
          const body = JSON.stringify(openapi(groups(), { url: apiPath }));
          written = { apiPath, body, etag: etagOf(body) };
        }
        const { body, etag } = written;
        const headers = {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'cache-control': 'no-cache',
          etag,
        };
        return { status: 200, headers, body };
      },
    }),
  };
}
