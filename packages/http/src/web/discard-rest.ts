/** Beyond this a client is cut off rather than heard out. */
const maxDiscardedBytes = 16_777_216;

/** Reads and drops what nobody read of a body, so that the client gets to read its answer. Never rejects. */
export async function discardRest({ body }: Request): Promise<void> {
  if (body !== null && !body.locked) await discard(body.getReader());
}

export async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    let left = maxDiscardedBytes;
    for (let chunk = await reader.read(); !chunk.done && left >= 0; chunk = await reader.read()) {
      left -= chunk.value.byteLength;
    }
    await reader.cancel();
  } catch {
    // The client has gone.
  }
}
