import { RequestError } from '@va/core';

/** The body of a request, in the state in which the host's server passes it on. Can be read once. */
export interface RequestBody {
  /**
   * The value that a parser of the host made of the body if it kept no bytes, else null. With a value, `bytes` and
   * `chunks` return it as JSON.
   */
  readonly parsed: { readonly value: unknown } | null;
  /** True if the bytes are still in the request's `Content-Encoding`. */
  readonly isEncoded: boolean;
  /**
   * Reads the whole body, and stops at the first byte beyond the limit.
   * @throws RequestError 413
   */
  bytes(maxBytes: number): Promise<Uint8Array>;
  /** Streams the body. A reader that stops early leaves the connection usable. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** Returns the error for a body beyond the limit (413). */
export function bodyTooLarge(maxBytes: number): RequestError {
  return new RequestError(
    413,
    'body_too_large',
    `The body is larger than the ${maxBytes} bytes that are accepted here.`,
  );
}

/**
 * Returns the error for a body that is incomplete because the client disconnected. It ends the request; no client
 * receives it.
 */
export function bodyBrokeOff(): RequestError {
  return new RequestError(400, 'invalid_json', 'The request was aborted before its body was complete.');
}

/**
 * Yields the chunks up to `maxBytes` in total.
 * @throws RequestError 413 beyond that
 */
export async function* limited(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let byteLength = 0;
  for await (const chunk of chunks) {
    byteLength += chunk.byteLength;
    if (byteLength > maxBytes) throw bodyTooLarge(maxBytes);
    yield chunk;
  }
}

/** Concatenates the chunks. */
export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const collected: Uint8Array[] = [];
  for await (const chunk of chunks) collected.push(chunk);
  return Buffer.concat(collected);
}
