import type { ServerResponse } from 'node:http';
import { vary } from '../engine/response/vary.ts';
import type { HttpResponse } from '../message/http-response.ts';
import { isClosed } from './outgoing-state.ts';

/** A response behind compression middleware, which buffers writes until `flush` is called. */
interface Compressing extends ServerResponse {
  flush?(): void;
}

/** Writes a response at the pace of the client. Resolves when it is written or the client has disconnected. */
export async function writeResponse({ status, headers, body }: HttpResponse, outgoing: ServerResponse): Promise<void> {
  if (isClosed(outgoing) || outgoing.headersSent) {
    if (body instanceof ReadableStream) await body.cancel();
    return;
  }
  const hostsVary = outgoing.getHeader('vary');
  if (hostsVary !== undefined && headers.vary !== undefined) {
    headers.vary = vary(String(hostsVary), ...headers.vary.split(', '));
  }
  outgoing.writeHead(status, headers);
  if (!(body instanceof ReadableStream)) {
    if (body === null) outgoing.end();
    else outgoing.end(body);
    return;
  }
  // Sent before the first event: an EventSource opens when it receives the headers.
  outgoing.flushHeaders();
  await pipe(body, outgoing);
}

async function pipe(body: ReadableStream<Uint8Array>, outgoing: Compressing): Promise<void> {
  const reader = body.getReader();
  const stop = (): void => {
    reader.cancel().catch(() => {});
  };
  outgoing.on('close', stop);
  try {
    for (let chunk = await reader.read(); !chunk.done && !isClosed(outgoing); chunk = await reader.read()) {
      const isTaken = outgoing.write(chunk.value);
      outgoing.flush?.();
      if (!isTaken) await drained(outgoing);
    }
    if (!isClosed(outgoing)) outgoing.end();
  } catch {
    // Closes the connection, so that a truncated response does not look complete. The engine has logged the cause.
    outgoing.destroy();
  } finally {
    outgoing.off('close', stop);
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
    if (isClosed(outgoing)) done();
  });
}
