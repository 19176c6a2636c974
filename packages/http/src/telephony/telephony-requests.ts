import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type HandlerHost, ignoreErrors, refuseUpgrade, type TelephonyHttp, toError } from '@va/core/adapter';
import type { TrustedProxies } from '../limits/trusted-proxies.ts';
import { HttpError } from '../message/http-error.ts';
import type { HttpRequest } from '../message/http-request.ts';
import type { HttpResponse } from '../message/http-response.ts';
import { type TelephonyPath, telephonyPath } from './telephony-path.ts';

/** Maximum size of a request body. Carriers' webhooks have 1 to 4 KiB. */
const maxBodyBytes = 65_536;

interface Found extends TelephonyPath {
  readonly adapter: TelephonyHttp;
}

/** Passes requests below `<base>/telephony/<id>` to the telephony adapters of a service. */
export class TelephonyRequests {
  readonly #host: Pick<HandlerHost, 'telephonyHttp' | 'publicUrl' | 'logger'>;
  readonly #proxies: TrustedProxies;
  #isClosed = false;

  constructor(host: Pick<HandlerHost, 'telephonyHttp' | 'publicUrl' | 'logger'>, proxies: TrustedProxies) {
    this.#host = host;
    this.#proxies = proxies;
  }

  /** Returns true if a percent-encoded path belongs to an adapter. */
  covers(path: string, basePath: string): boolean {
    return this.#find(path, basePath) !== null;
  }

  /**
   * Serves a request; null if it is not for an adapter. Accepts paths with the base path, and without it where a router
   * removed it.
   * @throws RequestError 404 for an adapter without HTTP requests, 413 for a body beyond 64 KiB
   */
  async serve(request: HttpRequest, basePath: string): Promise<HttpResponse | null> {
    const found = this.#find(request.path, basePath) ?? this.#find(request.path, '');
    if (found === null) return null;
    if (found.adapter.fetch === undefined) {
      throw new HttpError(404, 'route_not_found', 'This address takes WebSocket connections only.', {});
    }
    return fromResponse(await found.adapter.fetch(await this.#toRequest(found, request)));
  }

  /**
   * Passes a WebSocket upgrade to its adapter; returns false, with the socket untouched, if the path belongs to no
   * adapter.
   * @param basePaths paths before `/telephony`, of which the first match counts
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, basePaths: Iterable<string>): boolean {
    const [path = '/', search] = splitTarget(request.url ?? '/');
    for (const basePath of basePaths) {
      const found = this.#find(path, basePath);
      if (found === null) continue;
      ignoreErrors(socket);
      try {
        if (this.#isClosed) refuseUpgrade(socket, 503);
        else if (found.adapter.upgrade === undefined) refuseUpgrade(socket, 404);
        else {
          const url = new URL(this.#urlOf(found, search, request.headers.host));
          found.adapter.upgrade(request, socket, head, url, this.#clientOf(request));
        }
      } catch (thrown) {
        this.#host.logger.error({ err: toError(thrown), path: found.path }, 'upgrade failed');
        refuseUpgrade(socket, 500);
      }
      return true;
    }
    return false;
  }

  /** Refuses upgrades from now on. */
  close(): void {
    this.#isClosed = true;
  }

  #clientOf({ socket, headers }: IncomingMessage): string | null {
    const forwarded = headers['x-forwarded-for'];
    return this.#proxies.clientOf(socket.remoteAddress, typeof forwarded === 'string' ? forwarded : forwarded?.join());
  }

  #find(path: string, basePath: string): Found | null {
    const adapters = this.#host.telephonyHttp;
    if (adapters === undefined || adapters.size === 0) return null;
    const below = telephonyPath(path, basePath);
    const adapter = below === null ? undefined : adapters.get(below.id);
    return below === null || adapter === undefined ? null : { ...below, adapter };
  }

  async #toRequest(found: Found, request: HttpRequest): Promise<Request> {
    const { headers, method, url } = request.toRequest();
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const bytes = hasBody ? await request.body.bytes(maxBodyBytes) : null;
    const init = { method, headers, signal: request.signal };
    const publicUrl = this.#urlOf(found, request.search, new URL(url).host);
    return new Request(publicUrl, bytes === null ? init : { ...init, body: new Uint8Array(bytes) });
  }

  /** Returns the URL of a request: below the public URL if there is one, else below the host of the `Host` header. */
  #urlOf({ path }: TelephonyPath, search: string, host: string | undefined): string {
    const base = this.#host.publicUrl ?? `http://${host ?? 'localhost'}`;
    return `${base}${path}${search === '' ? '' : `?${search}`}`;
  }
}

function splitTarget(target: string): [path: string, search: string] {
  const query = target.indexOf('?');
  return query === -1 ? [target, ''] : [target.slice(0, query), target.slice(query + 1)];
}

function fromResponse(response: Response): HttpResponse {
  return { status: response.status, headers: Object.fromEntries(response.headers), body: response.body };
}
