import { type CipherGCMTypes, createCipheriv, createDecipheriv } from 'node:crypto';
import { writeUint32 } from '../runtime/bytes.ts';
import type { SessionKeys } from './key-derivation.ts';
import { encryptedFlag, indexBytes, type PacketCipher, type PacketKind } from './packet-cipher.ts';
import type { SrtpSuite } from './suites.ts';

const nonceBytes = 12;

/**
 * AES-GCM, which encrypts and authenticates at once. A cipher object serves one packet.
 *
 *     | header | encrypted payload | tag | RTCP: flag, index | MKI |
 *
 * @see RFC 7714 §8, §9
 */
export class GaloisCipher implements PacketCipher {
  readonly overheadBytes: number;
  readonly #algorithm: CipherGCMTypes;
  readonly #keys: SessionKeys;
  readonly #kind: PacketKind;
  readonly #tagBytes: number;
  readonly #mkiBytes: number;
  readonly #nonce = Buffer.alloc(nonceBytes);
  readonly #trailer = Buffer.alloc(indexBytes);

  constructor(suite: SrtpSuite, keys: SessionKeys, kind: PacketKind, mkiBytes: number) {
    this.#algorithm = suite.keyBytes === 32 ? 'aes-256-gcm' : 'aes-128-gcm';
    this.#keys = keys;
    this.#kind = kind;
    this.#tagBytes = suite.rtpTagBytes;
    this.#mkiBytes = mkiBytes;
    this.overheadBytes = this.#tagBytes + (kind === 'rtcp' ? indexBytes : 0);
  }

  seal(bytes: Uint8Array, headerBytes: number, length: number, ssrc: number, high: number, low: number): number {
    this.#prepare(ssrc, high, low);
    const cipher = createCipheriv(this.#algorithm, this.#keys.cipherKey, this.#nonce);
    cipher.setAAD(this.#clearPart(bytes, headerBytes));
    const sealed = cipher.update(bytes.subarray(headerBytes, length));
    cipher.final();
    bytes.set(sealed, headerBytes);
    bytes.set(cipher.getAuthTag(), length);
    const end = length + this.#tagBytes;
    if (this.#kind === 'rtp') return end;
    bytes.set(this.#trailer, end);
    return end + indexBytes;
  }

  open(bytes: Uint8Array, headerBytes: number, length: number, ssrc: number, high: number, low: number): number {
    const end = length - this.#mkiBytes - this.overheadBytes;
    if (end < headerBytes) return -1;
    this.#prepare(ssrc, high, low);
    const decipher = createDecipheriv(this.#algorithm, this.#keys.cipherKey, this.#nonce);
    decipher.setAAD(this.#clearPart(bytes, headerBytes));
    decipher.setAuthTag(bytes.subarray(end, end + this.#tagBytes));
    const plain = decipher.update(bytes.subarray(headerBytes, end));
    try {
      decipher.final();
    } catch {
      return -1;
    }
    bytes.set(plain, headerBytes);
    return end;
  }

  indexAt(length: number): number {
    return length - this.#mkiBytes - indexBytes;
  }

  #prepare(ssrc: number, high: number, low: number): void {
    const nonce = this.#nonce;
    nonce[0] = 0;
    nonce[1] = 0;
    writeUint32(nonce, 2, ssrc);
    writeUint32(nonce, 6, high);
    nonce[10] = low >>> 8;
    nonce[11] = low;
    for (let i = 0; i < nonceBytes; i++) nonce[i] = (nonce[i] as number) ^ (this.#keys.salt[i] as number);
    if (this.#kind === 'rtcp') writeUint32(this.#trailer, 0, encryptedFlag | (high << 16) | low);
  }

  /** Returns the additional authenticated data, which is not encrypted. */
  #clearPart(bytes: Uint8Array, headerBytes: number): Uint8Array {
    const header = bytes.subarray(0, headerBytes);
    return this.#kind === 'rtp' ? header : Buffer.concat([header, this.#trailer]);
  }
}
