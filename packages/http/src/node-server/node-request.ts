import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpRequest } from '../message/http-request.ts';
import type { RequestBody } from '../message/request-body.ts';
import { bodyOf, type ReadBody } from './body-of.ts';
import { isClosed, isComplete } from './outgoing-state.ts';

/** Hop-by-hop headers (RFC 9110 §7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Adapts a request of Node's HTTP server. Properties are computed on access. */
export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #read: ReadBody;
  #body: RequestBody | null = null;
  #abort: AbortController | null = null;

  /** @param target the request target before a framework changed it */
  constructor(incoming: IncomingMessage, outgoing: ServerResponse, target: string, read: ReadBody) {
    const local = target.startsWith('/') ? target : pathOfAbsolute(target);
    const query = local.indexOf('?');
    this.method = incoming.method ?? 'GET';
    this.path = query === -1 ? local : local.slice(0, query);
    this.search = query === -1 ? '' : local.slice(query + 1);
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#read = read;
  }

  get remoteAddress(): string | null {
    return this.#incoming.socket.remoteAddress ?? null;
  }

  get body(): RequestBody {
    this.#body ??= bodyOf(this.#incoming, this.#read);
    return this.#body;
  }

  get gone(): boolean {
    return isClosed(this.#outgoing) && !isComplete(this.#outgoing);
  }

  get signal(): AbortSignal {
    if (this.#abort !== null) return this.#abort.signal;
    const abort = new AbortController();
    this.#abort = abort;
    if (this.gone) abort.abort();
    else {
      this.#outgoing.on('close', () => {
        if (!isComplete(this.#outgoing)) abort.abort();
      });
    }
    return abort.signal;
  }

  header(name: string): string | null {
    const value = this.#incoming.headers[name];
    if (value === undefined) return null;
    return typeof value === 'string' ? value : value.join(', ');
  }

  toRequest(): Request {
    const query = this.search === '' ? '' : `?${this.search}`;
    return new Request(`${this.#origin()}${this.path}${query}`, {
      method: this.method,
      headers: this.#headers(),
      signal: this.signal,
    });
  }

  /**
   * Returns the origin from the `Host` header. Ignores `X-Forwarded-Host`: a trusted proxy can rewrite `Host` instead.
   */
  #origin(): string {
    const scheme = 'encrypted' in this.#incoming.socket ? 'https' : 'http';
    const { host, ':authority': authority } = this.#incoming.headers;
    const origin = `${scheme}://${host ?? authority ?? ''}`;
    return URL.canParse(origin) && new URL(origin).pathname === '/' ? origin : `${scheme}://localhost`;
  }

  #headers(): Headers {
    const headers = new Headers();
    const raw = this.#incoming.rawHeaders;
    for (let n = 0; n + 1 < raw.length; n += 2) {
      const [name = '', value = ''] = raw.slice(n, n + 2);
      if (!name.startsWith(':') && !hopByHop.has(name.toLowerCase())) headers.append(name, value);
    }
    return headers;
  }
}

/** Returns the path of a request line in absolute form (RFC 9112 §3.2.2), without its authority. */
function pathOfAbsolute(target: string): string {
  const path = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*(.*)$/i.exec(target)?.[1] ?? target;
  return path.startsWith('/') ? path : `/${path}`;
}
