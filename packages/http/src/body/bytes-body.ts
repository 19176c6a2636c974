import { bodyTooLarge, type RequestBody } from '../message/request-body.ts';

/** A request body that the host has already read: its bytes, or a text or form encoded again. */
export class BytesBody implements RequestBody {
  readonly parsed = null;
  readonly isEncoded = false;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  async bytes(maxBytes: number): Promise<Uint8Array> {
    if (this.#bytes.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
    return this.#bytes;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    yield this.#bytes;
  }
}
