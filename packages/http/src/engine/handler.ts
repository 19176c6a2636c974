import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RateLimitOptions } from '../limits/rate-limits.ts';
import type { HttpRequest } from '../message/http-request.ts';
import type { HttpResponse } from '../message/http-response.ts';
import type { MetricsOptions } from '../metrics/access.ts';
import type { RemoteAddress } from '../web/remote-address.ts';
import type { ConsoleAssets } from './console/console-assets.ts';
import type { CorsOptions } from './cors.ts';

/** Options of `createHandler()`. */
export interface HandlerOptions {
  /** The path before the API's own `/api/v1`, such as `/voice`. Not needed with a mount that knows its path. */
  readonly basePath?: string;
  /**
   * Limits per process; by default 100 requests a minute per key and 10 control commands per call. 0 turns a limit off.
   */
  readonly rateLimits?: RateLimitOptions;
  /**
   * Addresses and CIDR blocks of the proxies in front of this process, such as `10.0.0.0/8`. Their `X-Forwarded-For`
   * gives the address of a client; the header of all others is ignored. None by default.
   */
  readonly trustedProxies?: readonly string[];
  /** Origins whose pages may call the API from a browser; none by default. Pages with a publishable key need none. */
  readonly cors?: CorsOptions;
  /**
   * Serves a reference page at `/api/v1/docs`; off by default. It is rendered by `@scalar/api-reference`, which the
   * host installs, or by the browser bundle in the file `bundle`.
   */
  readonly docs?: boolean | { readonly bundle: string };
  /**
   * Serves Prometheus metrics at `/api/v1/metrics` to the named readers; off by default. They cover the whole process,
   * so an API key, which belongs to one organization, gives no access to them.
   */
  readonly metrics?: MetricsOptions;
  /**
   * Serves the web console at `<base>/console`; off by default. It is a page that uses this API with the credentials of
   * its visitor: an API key that is typed in, or the host's own session, if `authenticate` accepts it.
   * @example createHandler(va, { console: consoleAssets() }) // of @va/console
   */
  readonly console?: ConsoleAssets;
}

/** The REST API. Mounts such as `toNode` put it into a server; runtimes with `Request` and `Response` call `fetch`. */
export interface Handler {
  /**
   * Handles a Fetch request. Accepts paths with the base path, and without it where a router removed it. Never rejects.
   * @param from the far end of the connection; read from the second argument of @hono/node-server too. Without it,
   *   limits per address do not apply.
   */
  fetch(request: Request, from?: RemoteAddress | object): Promise<Response>;
  /**
   * Handles a request of a mount. Never rejects.
   * @param mountPath the path that the host's router mounted the API under, percent-encoded
   */
  handle(request: HttpRequest, mountPath?: string): Promise<HttpResponse>;
  /**
   * Listener for the `upgrade` event of the host's HTTP server: passes WebSocket connections below
   * `<base>/telephony/` to the telephony adapters. Returns false, with the socket untouched, for all others. The base
   * is `basePath`, else the path of `publicUrl` or of the last request, or none.
   * @example server.on('upgrade', handler.upgrade);
   */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** True if the handler serves a console, at `<base>/console/`; false by default. */
  readonly hasConsole?: boolean;
  /** Returns true if a percent-encoded path belongs to the API rather than to another route of the host. */
  covers(path: string, mountPath?: string): boolean;
  /** Responds 503 from now on and ends the event streams. Resolves once no request and no response is in flight. */
  close(): Promise<void>;
}
