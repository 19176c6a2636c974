import { HttpError } from '../../message/http-error.ts';
import type { HttpRequest } from '../../message/http-request.ts';
import type { HttpResponse } from '../../message/http-response.ts';
import { etagOf, matchesEtag } from '../response/etag.ts';
import type { ConsoleAssets } from './console-assets.ts';

const root = '/console';

/**
 * Content security policy of the page: it loads nothing from other origins, runs no inline script, and talks with this
 * server only. Its libraries add styles by script.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the console below `<base>/console`. */
export class ConsoleRequests {
  readonly #assets: ConsoleAssets | null;

  constructor(assets: ConsoleAssets | undefined) {
    this.#assets = assets ?? null;
  }

  /** Returns true if a percent-encoded path belongs to the console. */
  covers(path: string, basePath: string): boolean {
    return this.#assets !== null && pathOf(path, basePath) !== null;
  }

  /**
   * Serves a request; null if it is not for the console. Accepts paths with the base path, and without it where a
   * router removed it.
   * @throws HttpError 404 for an unknown file, 405 for another method than GET and HEAD
   */
  async serve(request: HttpRequest, basePath: string): Promise<HttpResponse | null> {
    const path = pathOf(request.path, basePath) ?? pathOf(request.path, '');
    if (this.#assets === null || path === null) return null;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new HttpError(405, 'method_not_allowed', 'The console is read with GET.', { allow: 'GET, HEAD' });
    }
    // Redirects to the path with a slash, because the page names its files relative to its own path.
    if (path === '') return { status: 308, headers: { location: `${basePath}${root}/` }, body: null };
    const name = path === '/' ? 'index.html' : path.slice(1);
    const file = await this.#assets.file(name);
    if (file === null) throw new HttpError(404, 'route_not_found', 'The console has no such file.', {});
    const { body, type, isImmutable } = file;
    const etag = etagOf(body);
    const headers: Record<string, string> = {
      'content-type': type,
      'content-security-policy': policy,
      'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
      'referrer-policy': 'no-referrer',
      etag,
    };
    if (matchesEtag(request.header('if-none-match') ?? '', etag)) return { status: 304, headers, body: null };
    headers['content-length'] = String(body.byteLength);
    return { status: 200, headers, body };
  }
}

/** Returns the part of a path after `<base>/console`: empty, or with a leading slash; null for another path. */
function pathOf(path: string, basePath: string): string | null {
  if (!path.startsWith(basePath) || !path.startsWith(root, basePath.length)) return null;
  const rest = path.slice(basePath.length + root.length);
  return rest === '' || rest.startsWith('/') ? rest : null;
}
