/** Unread bytes beyond which the body is cancelled instead of drained. */
const maxDiscardedBytes = 16_777_216;

/** Drains the unread rest of a request body, so that the client reads its response. Never rejects. */
export async function discardBody({ body }: Request): Promise<void> {
  if (body !== null && !body.locked) await discard(body.getReader());
}

/** Reads the rest of a body, up to 16 MiB, and cancels it. Never rejects. */
export async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    let left = maxDiscardedBytes;
    for (let chunk = await reader.read(); !chunk.done && left >= 0; chunk = await reader.read()) {
      left -= chunk.value.byteLength;
    }
    await reader.cancel();
  } catch {
    // The client has disconnected.
  }
}
