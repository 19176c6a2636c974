import { DrainedBody } from '../body/drained-body.ts';
import type { HttpRequest } from '../message/http-request.ts';
import type { RequestBody } from '../message/request-body.ts';
import { WebBody } from './web-body.ts';

/** A Fetch request. */
export class WebRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly body: RequestBody;
  readonly remoteAddress: string | null;
  readonly #request: Request;

  /**
   * @param from `remoteAddress` of the connection if the server reports it, and the body that a framework read and kept
   */
  constructor(request: Request, from: { readonly remoteAddress?: string | null; readonly body?: RequestBody } = {}) {
    const { pathname, search } = new URL(request.url);
    this.method = request.method;
    this.path = pathname;
    this.search = search.slice(1);
    this.remoteAddress = from.remoteAddress ?? null;
    this.body = from.body ?? (request.bodyUsed ? new DrainedBody() : new WebBody(request));
    this.#request = request;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get gone(): boolean {
    return this.#request.signal.aborted;
  }

  header(name: string): string | null {
    return this.#request.headers.get(name);
  }

  toRequest(): Request {
    return this.#request;
  }
}
