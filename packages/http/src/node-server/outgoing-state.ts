import type { ServerResponse } from 'node:http';

/** Node's HTTP/2 has the state of a response in its stream. */
interface Http2Response {
  readonly stream?: { readonly destroyed: boolean };
}

/** Whether nothing can be written any more. */
export function isClosed(outgoing: ServerResponse & Http2Response): boolean {
  return outgoing.destroyed === true || outgoing.stream?.destroyed === true;
}

/** Whether all of it was handed over to the connection. With HTTP/2 `writableFinished` is true of a broken one too. */
export function isComplete(outgoing: ServerResponse): boolean {
  return outgoing.writableEnded && outgoing.writableFinished;
}
