import type { ServerResponse } from 'node:http';

/** Node's HTTP/2 compatibility API keeps the state of a response on its stream. */
interface Http2Response {
  readonly stream?: { readonly destroyed: boolean };
}

/** Returns true if nothing can be written any more. */
export function isClosed(outgoing: ServerResponse & Http2Response): boolean {
  return outgoing.destroyed === true || outgoing.stream?.destroyed === true;
}

/**
 * Returns true once the whole response was handed to the connection. With HTTP/2 `writableFinished` is also true for an
 * aborted response.
 */
export function isComplete(outgoing: ServerResponse): boolean {
  return outgoing.writableEnded && outgoing.writableFinished;
}
