import { writeUint32 } from '../runtime/bytes.ts';

const blockBytes = 64;
const sha1Bytes = 20;
const initial = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];

/** Words of the current block: shared, because a digest is never interrupted. */
const words = new Int32Array(80);

/** Adds one block of 64 bytes to the state. @see RFC 3174 §6.1 */
function compress(state: Int32Array, bytes: Uint8Array, at: number): void {
  for (let i = 0, byte = at; i < 16; i++, byte += 4) {
    words[i] =
      ((bytes[byte] as number) << 24) |
      ((bytes[byte + 1] as number) << 16) |
      ((bytes[byte + 2] as number) << 8) |
      (bytes[byte + 3] as number);
  }
  for (let i = 16; i < 80; i++) {
    const word =
      (words[i - 3] as number) ^ (words[i - 8] as number) ^ (words[i - 14] as number) ^ (words[i - 16] as number);
    words[i] = (word << 1) | (word >>> 31);
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  for (let i = 0; i < 20; i++) {
    const next = (((a << 5) | (a >>> 27)) + (((b & c) | (~b & d)) + 0x5a827999) + e + (words[i] as number)) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  for (let i = 20; i < 40; i++) {
    const next = (((a << 5) | (a >>> 27)) + ((b ^ c ^ d) + 0x6ed9eba1) + e + (words[i] as number)) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  for (let i = 40; i < 60; i++) {
    const next =
      (((a << 5) | (a >>> 27)) + (((b & c) | (b & d) | (c & d)) - 0x70e44324) + e + (words[i] as number)) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  for (let i = 60; i < 80; i++) {
    const next = (((a << 5) | (a >>> 27)) + ((b ^ c ^ d) - 0x359d3e2a) + e + (words[i] as number)) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
}

function stateAfter(key: Uint8Array, pad: number): Int32Array {
  const block = new Uint8Array(blockBytes).fill(pad);
  for (const [i, byte] of key.entries()) block[i] = byte ^ pad;
  const state = Int32Array.from(initial);
  compress(state, block, 0);
  return state;
}

/**
 * HMAC-SHA1 with one key, for packets: in a third of the time of a hash object per packet, and without allocations. The
 * key has at most 64 bytes.
 * @see RFC 2104
 */
export class HmacSha1 {
  readonly #inner: Int32Array;
  readonly #outer: Int32Array;
  readonly #state = new Int32Array(5);
  readonly #tail = new Uint8Array(2 * blockBytes);
  readonly #outerBlock = new Uint8Array(blockBytes);
  /** The result of `digest`, valid until the next one. */
  readonly result: Uint8Array = new Uint8Array(sha1Bytes);

  constructor(key: Uint8Array) {
    this.#inner = stateAfter(key, 0x36);
    this.#outer = stateAfter(key, 0x5c);
  }

  /** Digests the first `length` bytes, followed by `suffix` as four more bytes unless it is null. */
  digest(bytes: Uint8Array, length: number, suffix: number | null): Uint8Array {
    const state = this.#state;
    state.set(this.#inner);
    let at = 0;
    for (; at + blockBytes <= length; at += blockBytes) compress(state, bytes, at);
    const tail = this.#tail;
    let end = 0;
    for (; at < length; at++) tail[end++] = bytes[at] as number;
    if (suffix !== null) {
      writeUint32(tail, end, suffix);
      end += 4;
    }
    this.#finish(state, tail, end, blockBytes + length + (suffix === null ? 0 : 4));
    const block = this.#outerBlock;
    for (let i = 0; i < 5; i++) writeUint32(block, i * 4, state[i] as number);
    state.set(this.#outer);
    this.#finish(state, block, sha1Bytes, blockBytes + sha1Bytes);
    for (let i = 0; i < 5; i++) writeUint32(this.result, i * 4, state[i] as number);
    return this.result;
  }

  /** Adds the last bytes with padding; `total` counts all bytes after the key. */
  #finish(state: Int32Array, tail: Uint8Array, end: number, total: number): void {
    const padded = end + 9 <= blockBytes ? blockBytes : 2 * blockBytes;
    tail[end] = 0x80;
    tail.fill(0, end + 1, padded);
    writeUint32(tail, padded - 4, total * 8);
    compress(state, tail, 0);
    if (padded > blockBytes) compress(state, tail, blockBytes);
  }
}
