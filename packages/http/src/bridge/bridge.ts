import type { ServerResponse } from 'node:http';
import type { Handler, Mount } from '../handler.ts';
import { type FrameworkRequest, toRequest } from './to-request.ts';
import { writeResponse } from './write-response.ts';

/** Serves one request of node's. Never rejects, and leaves nothing unhandled whatever the client does. */
export async function bridge(
  handler: Handler,
  incoming: FrameworkRequest,
  outgoing: ServerResponse,
  mount?: Mount,
): Promise<void> {
  const gone = new AbortController();
  outgoing.on('error', () => {});
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  let request: Request;
  try {
    request = toRequest(incoming, gone.signal);
  } catch {
    outgoing.writeHead(400).end();
    return;
  }
  try {
    await writeResponse(await handler.fetch(request, mount), outgoing);
  } catch {
    outgoing.destroy();
  }
}
