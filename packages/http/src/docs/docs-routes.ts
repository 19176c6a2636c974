import { descriptionLimit } from '../limits/rate-limits.ts';
import { defineOpenRawRoute } from '../route/define-route.ts';
import type { RawResponse, RouteGroups } from '../route/route.ts';
import { docsPage } from './docs-page.ts';
import { readScalarBundle, type ScalarBundle } from './scalar-bundle.ts';

/**
 * Returns the routes of the API reference: its HTML page, and the script that renders it.
 * @param bundleFile path of the script; null for the one of the installed package
 */
export function docsRoutes(bundleFile: string | null): RouteGroups[string] {
  let reading: Promise<ScalarBundle> | null = null;
  /** Reads the bundle on the first request, and again after a failure. */
  const bundle = (): Promise<ScalarBundle> => {
    reading ??= readScalarBundle(bundleFile).catch((error: unknown) => {
      reading = null;
      throw error;
    });
    return reading;
  };
  return {
    page: defineOpenRawRoute({
      method: 'GET',
      path: '/docs',
      scope: null,
      summary: 'Show this reference as a web page',
      content: [{ status: 200, description: 'The HTML page.', mediaType: 'text/html' }],
      limit: () => descriptionLimit,
      async run() {
        await bundle();
        return text(docsPage.html, 'text/html; charset=utf-8', { 'content-security-policy': docsPage.policy });
      },
    }),
    script: defineOpenRawRoute({
      method: 'GET',
      path: '/docs/scalar.js',
      scope: null,
      summary: 'Get the script of the reference page',
      content: [{ status: 200, description: 'The script.', mediaType: 'text/javascript' }],
      limit: () => descriptionLimit,
      async run() {
        const { script, etag } = await bundle();
        return text(script, 'text/javascript; charset=utf-8', { etag });
      },
    }),
  };
}

function text(body: string, contentType: string, more: Readonly<Record<string, string>>): RawResponse {
  const headers = {
    'content-type': contentType,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    ...more,
  };
  return { status: 200, headers, body };
}
