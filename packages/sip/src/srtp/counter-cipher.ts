import { type Cipher, createCipheriv } from 'node:crypto';
import { writeUint32 } from '../rtp/bytes.ts';
import { HmacSha1 } from './hmac-sha1.ts';
import type { SessionKeys } from './key-derivation.ts';
import { encryptedFlag, indexBytes, type PacketCipher, type PacketKind } from './packet-cipher.ts';
import type { SrtpSuite } from './suites.ts';

const blockBytes = 16;
/** The longest packet that a datagram holds would need 4,096 blocks; most need ten. */
const startBlocks = 16;

/**
 * AES in counter mode, and HMAC-SHA1. The key stream comes from one long-lived cipher that encrypts the counters as they
 * are: twice as fast as a cipher object a packet, which counter mode would need.
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
  readonly #salt: Buffer;
  readonly #hmac: HmacSha1;
  readonly #cipher: Cipher;
  #counters = new Uint8Array(startBlocks * blockBytes);

  constructor(suite: SrtpSuite, keys: SessionKeys, kind: PacketKind, mkiBytes: number) {
    this.#kind = kind;
    this.#tagBytes = kind === 'rtp' ? suite.rtpTagBytes : suite.rtcpTagBytes;
    this.#mkiBytes = mkiBytes;
    this.overheadBytes = this.#tagBytes + (kind === 'rtcp' ? indexBytes : 0);
    this.#salt = keys.salt;
    this.#hmac = new HmacSha1(keys.authenticationKey);
    this.#cipher = createCipheriv(`aes-${suite.keyBytes * 8}-ecb`, keys.cipherKey, null).setAutoPadding(false);
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

  /** The roll-over counter counts for the tag, though it is not sent. */
  #digest(bytes: Uint8Array, length: number, high: number): Uint8Array {
    return this.#hmac.digest(bytes, length, this.#kind === 'rtp' ? high : null);
  }

  #crypt(bytes: Uint8Array, from: number, to: number, ssrc: number, high: number, low: number): void {
    const size = Math.ceil((to - from) / blockBytes) * blockBytes;
    if (size === 0) return;
    if (size > this.#counters.length) this.#counters = new Uint8Array(size);
    const counters = this.#counters;
    counters.set(this.#salt, 0);
    xorUint32(counters, 4, ssrc);
    xorUint32(counters, 8, high);
    counters[12] = (counters[12] as number) ^ (low >>> 8);
    counters[13] = (counters[13] as number) ^ (low & 0xff);
    for (let at = 0, block = 0; at < size; at += blockBytes, block++) {
      if (at > 0) counters.copyWithin(at, 0, blockBytes - 2);
      counters[at + 14] = block >>> 8;
      counters[at + 15] = block;
    }
    const stream = this.#cipher.update(counters.subarray(0, size));
    for (let i = from; i < to; i++) bytes[i] = (bytes[i] as number) ^ (stream[i - from] as number);
  }
}

function xorUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = (bytes[at] as number) ^ (value >>> 24);
  bytes[at + 1] = (bytes[at + 1] as number) ^ ((value >>> 16) & 0xff);
  bytes[at + 2] = (bytes[at + 2] as number) ^ ((value >>> 8) & 0xff);
  bytes[at + 3] = (bytes[at + 3] as number) ^ (value & 0xff);
}
