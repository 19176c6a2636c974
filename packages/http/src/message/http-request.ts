import type { RequestBody } from './request-body.ts';

/** A request as the engine reads it, independent of the server that received it. */
export interface HttpRequest {
  readonly method: string;
  /** The path as it was sent: percent-encoded, with the path of the mount. */
  readonly path: string;
  /** The query string without `?`; empty without a query. */
  readonly search: string;
  readonly body: RequestBody;
  /** Address of the connection's far end, which may be a proxy; null or absent if unknown. */
  readonly remoteAddress?: string | null;
  /** Aborted when the client disconnects before it received the whole response. */
  readonly signal: AbortSignal;
  /** True once the client disconnected before it received the whole response. */
  readonly gone: boolean;
  /** Returns a header by its lower-case name; repeated headers are joined with `, `. */
  header(name: string): string | null;
  /** Returns the request for a host's own `authenticate`, which must not read its body. */
  toRequest(): Request;
}
