import { type Logger, toError } from '@va/core/adapter';
import { vary } from './response/vary.ts';

/** Origins whose pages may call the API from a browser. */
export interface CorsOptions {
  /**
   * The origins, such as `https://app.example.com`, whose pages may call the API; `*` for all; or a function that
   * returns true for an allowed origin.
   */
  readonly origins: readonly string[] | '*' | ((origin: string) => boolean);
  /** Seconds for which a browser may cache the response to a preflight; 600 by default. */
  readonly maxAgeSeconds?: number;
}

const requestHeaders = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'Range',
  'X-Request-Id',
].join(', ');

const exposedHeaders = [
  'Accept-Ranges',
  'Content-Range',
  'ETag',
  'Idempotent-Replayed',
  'Location',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ');

/**
 * Lets the pages of the named origins read responses. The API takes a bearer key and no cookie, so credentials are
 * never allowed.
 *
 * `hono/cors` is not used: it responds to every OPTIONS request itself, also for unknown paths, lets a function of the
 * host that throws fail the request, and decides before authentication, when the origins of a publishable key are
 * unknown.
 * @see Fetch Standard §3.2
 */
export class Cors {
  readonly #isAllowed: (origin: string) => boolean;
  readonly #isPublic: boolean;
  readonly #maxAge: string;

  constructor({ origins, maxAgeSeconds = 600 }: CorsOptions, logger: Logger) {
    this.#isPublic = origins === '*';
    this.#isAllowed = allowing(origins, logger);
    this.#maxAge = String(maxAgeSeconds);
  }

  /** Returns true if pages of the origin may read responses. */
  allows(origin: string | null): boolean {
    return this.#isPublic || (origin !== null && this.#isAllowed(origin));
  }

  /** Adds the CORS headers to a response of any status, if the origin of the request is allowed. */
  decorate(headers: Record<string, string>, origin: string | null): void {
    if (!this.#allow(headers, origin)) return;
    headers['access-control-expose-headers'] = exposedHeaders;
  }

  /**
   * Adds the CORS headers to the response to OPTIONS, if the origin of the request is allowed.
   * @param methods methods of the path
   */
  preflight(headers: Record<string, string>, origin: string | null, methods: string): void {
    headers.vary = vary(headers.vary, 'Access-Control-Request-Method', 'Access-Control-Request-Headers');
    if (!this.#allow(headers, origin)) return;
    headers['access-control-allow-methods'] = methods;
    headers['access-control-allow-headers'] = requestHeaders;
    headers['access-control-max-age'] = this.#maxAge;
  }

  /**
   * Adds `Access-Control-Allow-Origin` if the origin is allowed, and returns true then. Also adds `Vary` unless all
   * origins are allowed, so that a cache reuses no response for a request of another origin or of none.
   */
  #allow(headers: Record<string, string>, origin: string | null): boolean {
    if (this.#isPublic) {
      headers['access-control-allow-origin'] = '*';
      return true;
    }
    headers.vary = vary(headers.vary, 'Origin');
    if (origin === null || !this.#isAllowed(origin)) return false;
    headers['access-control-allow-origin'] = origin;
    return true;
  }
}

/** Lets a page with a publishable key read a response. */
export function decorateForPage(headers: Record<string, string>, origin: string): void {
  headers['access-control-allow-origin'] = origin;
  headers['access-control-expose-headers'] = exposedHeaders;
  headers.vary = vary(headers.vary, 'Origin');
}

/**
 * Adds the CORS headers to the preflight response of a route that pages call with a publishable key, for all origins: a
 * preflight carries no key, so the origins of the key are checked in the request that follows.
 */
export function preflightForPages(headers: Record<string, string>): void {
  headers['access-control-allow-origin'] = '*';
  headers['access-control-allow-methods'] = 'POST';
  headers['access-control-allow-headers'] = 'Authorization, Content-Type';
  headers['access-control-max-age'] = '600';
}

/** Returns a function that tests an origin. If the function of the host throws, the origin is not allowed. */
function allowing(origins: CorsOptions['origins'], logger: Logger): (origin: string) => boolean {
  if (origins === '*') return () => true;
  if (typeof origins !== 'function') {
    const listed = new Set(origins);
    return (origin) => listed.has(origin);
  }
  return (origin) => {
    try {
      return origins(origin);
    } catch (thrown) {
      logger.error({ origin, err: toError(thrown) }, 'cors.origins threw');
      return false;
    }
  };
}
