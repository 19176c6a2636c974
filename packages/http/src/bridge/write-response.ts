import type { ServerResponse } from 'node:http';

/** Writes a response out at the pace of the client; resolves when it is written, or the client has gone. */
export async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed || outgoing.headersSent) {
    await response.body?.cancel();
    return;
  }
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') outgoing.setHeader(name, value);
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies);
  if (response.body !== null) await pipe(response.body, outgoing);
  if (!outgoing.destroyed) outgoing.end();
}

async function pipe(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  const stop = (): void => {
    void reader.cancel().catch(() => {});
  };
  outgoing.on('close', stop);
  try {
    for (let chunk = await reader.read(); !chunk.done && !outgoing.destroyed; chunk = await reader.read()) {
      if (!outgoing.write(chunk.value)) await drained(outgoing);
    }
  } catch (error) {
    // Half an answer must not look like a whole one.
    outgoing.destroy();
    throw error;
  } finally {
    outgoing.off('close', stop);
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.on('drain', done);
    outgoing.on('close', done);
    if (outgoing.destroyed) done();
  });
}
