import { type Cipher, createCipheriv } from 'node:crypto';

const blockBytes = 16;
const sequences = 0x10000;
/** Maximum total length of key streams generated together, unless one alone is longer: sixteen packets of G.711 fit. */
const maxTogetherBytes = 4_096;

/**
 * Key stream of AES in counter mode, per packet. A call of the cipher costs as much as encrypting kilobytes, and
 * packets have consecutive numbers: the streams of the next packets are generated together with the current one. That
 * takes 1 µs per packet, a cipher per packet 6 µs (`bench:fast-paths`).
 *
 *     counter = (salt · 2¹⁶) ⊕ (SSRC · 2⁶⁴) ⊕ (index · 2¹⁶), plus one for each block
 *
 * @see RFC 3711 §4.1.1
 */
export class KeyStream {
  readonly #salt: Uint8Array;
  readonly #cipher: Cipher;
  readonly #maxBatchWindows: number;
  /** Number of packets whose streams are available. */
  #together = 0;
  #counters = new Uint8Array(0);
  #packetBytes = 0;
  #ssrc = -1;
  #firstIndex = 0;
  /** Output of `take`: `bytes` holds the requested stream, which starts at `at`. */
  bytes: Uint8Array = this.#counters;
  at = 0;

  /** @param maxBatchWindows maximum consecutive packets prepared at once */
  constructor(key: Uint8Array, salt: Uint8Array, maxBatchWindows: number) {
    this.#salt = salt;
    this.#maxBatchWindows = maxBatchWindows;
    // A cipher of the counters themselves (ECB) lives as long as its key; counter mode would need one per packet.
    this.#cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
  }

  /**
   * Writes `length` bytes of a packet's stream to `bytes` at `at`; valid until the next call. The index has the form
   * described in `PacketCipher`.
   */
  take(ssrc: number, high: number, low: number, length: number): void {
    const index = high * sequences + low;
    const place = index - this.#firstIndex;
    const isMade = ssrc === this.#ssrc && place >= 0 && place < this.#together && length <= this.#packetBytes;
    if (isMade) this.at = place * this.#packetBytes;
    else this.#make(ssrc, index, length);
  }

  #make(ssrc: number, index: number, length: number): void {
    const packetBytes = Math.ceil(length / blockBytes) * blockBytes;
    if (packetBytes !== this.#packetBytes) {
      this.#together = Math.max(1, Math.min(this.#maxBatchWindows, Math.floor(maxTogetherBytes / packetBytes)));
      this.#counters = new Uint8Array(this.#together * packetBytes);
      this.bytes = new Uint8Array(this.#counters.length);
      this.#packetBytes = packetBytes;
    }
    this.#ssrc = ssrc;
    this.#firstIndex = index;
    for (let packet = 0; packet < this.#together; packet++) this.#count(packet * packetBytes, ssrc, index + packet);
    // Copied: a retained output of the cipher would be promoted to the old generation, whose collection takes 10 to 30
    // ms.
    this.bytes.set(this.#cipher.update(this.#counters));
    this.at = 0;
  }

  /** Writes the counters of one packet. */
  #count(start: number, ssrc: number, index: number): void {
    const counters = this.#counters;
    const end = start + this.#packetBytes;
    const low = index % sequences;
    counters.set(this.#salt, start);
    xorUint32(counters, start + 4, ssrc);
    xorUint32(counters, start + 8, Math.floor(index / sequences));
    counters[start + 12] = (counters[start + 12] as number) ^ (low >>> 8);
    counters[start + 13] = (counters[start + 13] as number) ^ (low & 0xff);
    for (let at = start, block = 0; at < end; at += blockBytes, block++) {
      if (at > start) counters.copyWithin(at, start, start + blockBytes - 2);
      counters[at + 14] = block >>> 8;
      counters[at + 15] = block;
    }
  }
}

function xorUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = (bytes[at] as number) ^ (value >>> 24);
  bytes[at + 1] = (bytes[at + 1] as number) ^ ((value >>> 16) & 0xff);
  bytes[at + 2] = (bytes[at + 2] as number) ^ ((value >>> 8) & 0xff);
  bytes[at + 3] = (bytes[at + 3] as number) ^ (value & 0xff);
}
