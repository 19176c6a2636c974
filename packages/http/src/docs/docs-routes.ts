import { descriptionLimit } from '../engine/rate-limits.ts';
import { defineOpenRawRoute } from '../routes/define-route.ts';
import type { RawAnswer, RouteGroups } from '../routes/route.ts';
import { docsPage } from './docs-page.ts';
import { readScalarBundle, type ScalarBundle } from './scalar-bundle.ts';

/** A page of the API for people, and the script that draws it. */
export function docsRoutes(bundleFile: string | null): RouteGroups[string] {
  let reading: Promise<ScalarBundle> | null = null;
  /** Read when it is first asked for, and again after it could not be. */
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
      summary: 'Show this description as a page',
      content: [{ status: 200, description: 'A page.', mediaType: 'text/html' }],
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
      summary: 'Get the script of the page',
      content: [{ status: 200, description: 'A script.', mediaType: 'text/javascript' }],
      limit: () => descriptionLimit,
      async run() {
        const { script, etag } = await bundle();
        return text(script, 'text/javascript; charset=utf-8', { etag });
      },
    }),
  };
}

function text(body: string, contentType: string, more: Readonly<Record<string, string>>): RawAnswer {
  const headers = {
    'content-type': contentType,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    ...more,
  };
  return { status: 200, headers, body };
}
