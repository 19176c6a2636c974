import type { RequestBody } from '../body/request-body.ts';

/** A request as the engine reads it, whichever server it came in by. */
export interface HttpRequest {
  readonly method: string;
  /** As it was sent, percent-encoded, with the path of the mount. */
  readonly path: string;
  /** The query without its `?`; empty where there is none. */
  readonly search: string;
  readonly body: RequestBody;
  /** Aborts when the client goes away before it has the whole answer. */
  readonly signal: AbortSignal;
  /** Whether the client has gone away before it had the whole answer. */
  readonly gone: boolean;
  /** By its lower-case name; what came more than once is joined with `, `. */
  header(name: string): string | null;
  /** The same request for a host's own `authenticate`; the body belongs to the route. */
  toRequest(): Request;
}
