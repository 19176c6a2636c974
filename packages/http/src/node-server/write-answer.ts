import type { ServerResponse } from 'node:http';
import type { HttpAnswer } from '../engine/http-answer.ts';
import { vary } from '../engine/vary.ts';
import { isClosed } from './outgoing-state.ts';

/** Middleware that compresses holds bytes back until it is told to let go of them. */
interface Compressing extends ServerResponse {
  flush?(): void;
}

/** Writes an answer out at the pace of the client; resolves when it is written, or the client has gone. */
export async function writeAnswer({ status, headers, body }: HttpAnswer, outgoing: ServerResponse): Promise<void> {
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
  // Before there is anything to write: an EventSource is open as soon as it has the headers.
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
    // Half an answer must not look like a whole one. The engine has logged why.
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
