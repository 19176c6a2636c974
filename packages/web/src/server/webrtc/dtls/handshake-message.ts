import { ByteReader, uint } from './byte-reader.ts';

export const handshakeTypes = {
  clientHello: 1,
  serverHello: 2,
  helloVerifyRequest: 3,
  certificate: 11,
  serverKeyExchange: 12,
  certificateRequest: 13,
  serverHelloDone: 14,
  certificateVerify: 15,
  clientKeyExchange: 16,
  finished: 20,
} as const;

/** Maximum length of a message, such as a certificate chain. Browsers send one certificate of 300 to 1,000 bytes. */
const maxMessageBytes = 8_192;
/** Maximum number of buffered messages; a client's flight has four. */
const maxAhead = 4;

export interface HandshakeMessage {
  readonly type: number;
  readonly sequence: number;
  readonly body: Buffer;
}

/**
 * Writes a message as one fragment; this is also its form in the hash of the handshake.
 *
 *     | type (8) | length (24) | message sequence (16) | fragment offset (24) | fragment length (24) | body |
 *
 * @see RFC 6347 §4.2.2, §4.2.6
 */
export function writeHandshake({ type, sequence, body }: HandshakeMessage): Buffer {
  const length = uint(body.length, 3);
  return Buffer.concat([Buffer.of(type), length, uint(sequence, 2), uint(0, 3), length, body]);
}

interface Assembly {
  readonly type: number;
  readonly body: Buffer;
  readonly isFilled: Uint8Array;
  missing: number;
}

/** Reassembles the client's messages from fragments, in order. */
export class HandshakeAssembler {
  readonly #pending = new Map<number, Assembly>();
  #next = 0;

  /**
   * Handles the payload of a record.
   * @returns the messages completed, and `isRepeated` true if the payload belongs to a message that was complete
   *   before: the client missed the response
   * @throws MalformedMessage
   */
  push(payload: Buffer): { readonly messages: readonly HandshakeMessage[]; readonly isRepeated: boolean } {
    const reader = new ByteReader(payload);
    let isRepeated = false;
    while (!reader.isAtEnd) {
      const type = reader.uint8();
      const length = reader.uint24();
      const sequence = reader.uint16();
      const offset = reader.uint24();
      const fragment = reader.vector(3);
      if (sequence < this.#next) isRepeated = true;
      else if (sequence < this.#next + maxAhead) this.#take(sequence, type, length, offset, fragment);
    }
    return { messages: this.#complete(), isRepeated };
  }

  #take(sequence: number, type: number, length: number, offset: number, fragment: Buffer): void {
    if (length > maxMessageBytes || offset + fragment.length > length) return;
    const assembly = this.#pending.get(sequence) ?? {
      type,
      body: Buffer.alloc(length),
      isFilled: new Uint8Array(length),
      missing: length,
    };
    if (assembly.type !== type || assembly.body.length !== length) return;
    this.#pending.set(sequence, assembly);
    for (const [n, byte] of fragment.entries()) {
      if (assembly.isFilled[offset + n] === 1) continue;
      assembly.isFilled[offset + n] = 1;
      assembly.body[offset + n] = byte;
      assembly.missing -= 1;
    }
  }

  #complete(): HandshakeMessage[] {
    const messages: HandshakeMessage[] = [];
    for (let found = this.#pending.get(this.#next); found?.missing === 0; found = this.#pending.get(this.#next)) {
      messages.push({ type: found.type, sequence: this.#next, body: found.body });
      this.#pending.delete(this.#next);
      this.#next += 1;
    }
    return messages;
  }
}
