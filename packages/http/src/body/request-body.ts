import { RequestError } from '@va/core';

/** The body of a request, in whatever state the host's server hands it over. Read it once. */
export interface RequestBody {
  /**
   * What a parser of the host's has made of the body where it kept no bytes; null where there are bytes to read.
   * Both `bytes` and `chunks` then give that value as JSON again.
   */
  readonly parsed: { readonly value: unknown } | null;
  /** Whether the bytes are as they came, still in the `Content-Encoding` that the request names. */
  readonly isEncoded: boolean;
  /** The whole body. Throws `RequestError` 413 as soon as there is more, and reads no further. */
  bytes(maxBytes: number): Promise<Uint8Array>;
  /** The body as it comes. Who stops early leaves the connection as it is. */
  chunks(): AsyncIterable<Uint8Array>;
}

export function bodyTooLarge(maxBytes: number): RequestError {
  return new RequestError(413, 'body_too_large', `A body may have ${maxBytes} bytes here.`);
}

export function bodyBrokeOff(): RequestError {
  return new RequestError(400, 'invalid_json', 'The body broke off.');
}

/** Passes chunks on until they are more than `maxBytes`: then throws `RequestError` 413. */
export async function* limited(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let byteLength = 0;
  for await (const chunk of chunks) {
    byteLength += chunk.byteLength;
    if (byteLength > maxBytes) throw bodyTooLarge(maxBytes);
    yield chunk;
  }
}

/** All of the chunks as one. */
export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const collected: Uint8Array[] = [];
  for await (const chunk of chunks) collected.push(chunk);
  return Buffer.concat(collected);
}
