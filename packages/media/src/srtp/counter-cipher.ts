import { writeUint32 } from '../runtime/bytes.ts';
import { HmacSha1 } from './hmac-sha1.ts';
import type { SessionKeys } from './key-derivation.ts';
import { KeyStream } from './key-stream.ts';
import { encryptedFlag, indexBytes, type PacketCipher, type PacketKind } from './packet-cipher.ts';
import type { SrtpSuite } from './suites.ts';

/**
 * Number of packets whose key streams are generated together: a third of a second of a call's RTP. RTCP packets are too
 * rare to prepare key streams.
 */
const packetsTogether = { rtp: 16, rtcp: 1 } as const;

/**
 * AES in counter mode, and HMAC-SHA1.
 *
 *     | header | encrypted payload | RTCP: flag, index | MKI | tag |
 *
 * @see RFC 3711 §3.1, §3.4, §4.1.1, §4.2
 */
export class CounterCipher implements PacketCipher {
  readonly overheadBytes: number;
  readonly #kind: PacketKind;
  readonly #tagBytes: number;
  readonly #mkiBytes: number;
  readonly #hmac: HmacSha1;
  readonly #stream: KeyStream;

  constructor(suite: SrtpSuite, keys: SessionKeys, kind: PacketKind, mkiBytes: number) {
    this.#kind = kind;
    this.#tagBytes = kind === 'rtp' ? suite.rtpTagBytes : suite.rtcpTagBytes;
    this.#mkiBytes = mkiBytes;
    this.overheadBytes = this.#tagBytes + (kind === 'rtcp' ? indexBytes : 0);
    this.#hmac = new HmacSha1(keys.authenticationKey);
    this.#stream = new KeyStream(keys.cipherKey, keys.salt, packetsTogether[kind]);
  }

  seal(bytes: Uint8Array, headerBytes: number, length: number, ssrc: number, high: number, low: number): number {
    this.#crypt(bytes, headerBytes, length, ssrc, high, low);
    let end = length;
    if (this.#kind === 'rtcp') {
      writeUint32(bytes, end, encryptedFlag | (high << 16) | low);
      end += indexBytes;
    }
    const tag = this.#digest(bytes, end, high);
    for (let i = 0; i < this.#tagBytes; i++) bytes[end + i] = tag[i] as number;
    return end + this.#tagBytes;
  }

  open(bytes: Uint8Array, headerBytes: number, length: number, ssrc: number, high: number, low: number): number {
    const tagAt = length - this.#tagBytes;
    const authenticated = tagAt - this.#mkiBytes;
    const end = authenticated - (this.#kind === 'rtcp' ? indexBytes : 0);
    if (end < headerBytes) return -1;
    const tag = this.#digest(bytes, authenticated, high);
    let difference = 0;
    for (let i = 0; i < this.#tagBytes; i++) difference |= (tag[i] as number) ^ (bytes[tagAt + i] as number);
    if (difference !== 0) return -1;
    this.#crypt(bytes, headerBytes, end, ssrc, high, low);
    return end;
  }

  indexAt(length: number): number {
    return length - this.#tagBytes - this.#mkiBytes - indexBytes;
  }

  /** Computes the tag. In RTP it covers the roll-over counter, though that is not sent. */
  #digest(bytes: Uint8Array, length: number, high: number): Uint8Array {
    return this.#hmac.digest(bytes, length, this.#kind === 'rtp' ? high : null);
  }

  #crypt(bytes: Uint8Array, from: number, to: number, ssrc: number, high: number, low: number): void {
    if (from >= to) return;
    const stream = this.#stream;
    stream.take(ssrc, high, low, to - from);
    const { bytes: key, at } = stream;
    for (let i = from; i < to; i++) bytes[i] = (bytes[i] as number) ^ (key[at + i - from] as number);
  }
}
