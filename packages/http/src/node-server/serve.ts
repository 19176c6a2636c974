import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Handler } from '../engine/handler.ts';
import type { HttpRequest } from '../engine/http-request.ts';
import { discardRest } from './discard-rest.ts';
import { writeAnswer } from './write-answer.ts';

/** Serves one request of node's. Never rejects, and leaves nothing unhandled whatever the client does. */
export async function serve(
  handler: Handler,
  request: HttpRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  mountPath: string,
): Promise<void> {
  // Node reports a write to a client that has gone as an event, which nobody else listens for.
  outgoing.on('error', ignore);
  try {
    await writeAnswer(await handler.answer(request, mountPath), outgoing);
  } catch {
    outgoing.destroy();
  }
  discardRest(incoming);
}

function ignore(): void {}
