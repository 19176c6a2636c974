/** Error for a message that ends before its last field, or has a value that its format forbids. */
export class MalformedMessage extends Error {
  constructor() {
    super('The message is malformed.');
    this.name = 'MalformedMessage';
  }
}

/** Reads big-endian fields one after another. Every method throws `MalformedMessage` beyond the end. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  uint8(): number {
    return this.bytes(1).readUInt8(0);
  }

  uint16(): number {
    return this.bytes(2).readUInt16BE(0);
  }

  uint24(): number {
    return this.bytes(3).readUIntBE(0, 3);
  }

  bytes(count: number): Buffer {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new MalformedMessage();
    const read = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return read;
  }

  /** Reads a vector with a length field of this many bytes. @see RFC 5246 §4.3 */
  vector(lengthBytes: 1 | 2 | 3): Buffer {
    return this.bytes(lengthBytes === 1 ? this.uint8() : lengthBytes === 2 ? this.uint16() : this.uint24());
  }

  /** Reads a vector of numbers with 16 bits each. */
  uint16s(lengthBytes: 1 | 2): number[] {
    const items = this.vector(lengthBytes);
    if (items.length % 2 !== 0) throw new MalformedMessage();
    return Array.from({ length: items.length / 2 }, (_, n) => items.readUInt16BE(2 * n));
  }
}

/** Writes a number of up to 6 bytes. */
export function uint(value: number, byteCount: number): Buffer {
  const bytes = Buffer.alloc(byteCount);
  bytes.writeUIntBE(value, 0, byteCount);
  return bytes;
}

/** Writes a vector: its length, then its content. */
export function vector(lengthBytes: 1 | 2 | 3, ...content: readonly Uint8Array[]): Buffer {
  const joined = Buffer.concat(content);
  return Buffer.concat([uint(joined.length, lengthBytes), joined]);
}
