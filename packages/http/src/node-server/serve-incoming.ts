import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Handler } from '../engine/handler.ts';
import type { HttpRequest } from '../message/http-request.ts';
import { discardIncoming } from './discard-incoming.ts';
import { writeResponse } from './write-response.ts';

/** Serves one request of Node's HTTP server. Never rejects and leaves no unhandled error. */
export async function serveIncoming(
  handler: Handler,
  request: HttpRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  mountPath: string,
): Promise<void> {
  // Node reports a write to a disconnected client by an `error` event, which has no other listener.
  outgoing.on('error', ignore);
  try {
    await writeResponse(await handler.handle(request, mountPath), outgoing);
  } catch {
    outgoing.destroy();
  }
  discardIncoming(incoming);
}

function ignore(): void {}
