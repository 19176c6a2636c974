import { findHeadEnd, maxHeadBytes, skipLineEnds } from '../message/parse.ts';

/** Element of a stream: a message, a keep-alive, or bytes after which no message can be found any more. */
export type StreamItem =
  | { readonly kind: 'message' | 'fault'; readonly bytes: Uint8Array }
  | { readonly kind: 'ping' }
  | { readonly kind: 'pong' };

/** Maximum length of a message body, in bytes. */
const maxBodyBytes = 65_536;
/** Initial size of the buffer in bytes. Memory up to this size is not counted. */
export const initialCapacity = 4_096;
const lengthPattern = /\r\n(?:content-length|l)[ \t]*:[ \t]*([^\r\n]*)/gi;

/**
 * Splits a byte stream into messages by Content-Length. Buffers at most one message of the maximum size, and scans each
 * byte of a header section once.
 * @see RFC 3261 §18.3, RFC 5626 §3.5.1
 */
export class StreamFramer {
  #bytes = new Uint8Array(initialCapacity);
  /** Range of the unprocessed bytes in the buffer. */
  #start = 0;
  #end = 0;
  #searchedTo = 0;
  #broken = false;
  #expectsPong = false;

  /** Allocated bytes. */
  get capacity(): number {
    return this.#bytes.length;
  }

  /** Buffered bytes of an incomplete message. Line ends between messages are not part of one (RFC 3261 §7.5). */
  get pendingBytes(): number {
    const pending = this.#bytes.subarray(this.#start, this.#end);
    return skipLineEnds(pending, 0) === pending.length ? 0 : pending.length;
  }

  /** Adds received bytes and returns the complete elements. Nothing follows a fault. */
  push(chunk: Uint8Array): StreamItem[] {
    const items: StreamItem[] = [];
    if (this.#broken) return items;
    this.#append(chunk);
    for (let item = this.#next(); item !== null; item = this.#next()) items.push(item);
    return items;
  }

  /** Expects a pong: the next single line end between messages is the response to a local ping. */
  expectPong(): void {
    this.#expectsPong = true;
  }

  #next(): StreamItem | null {
    if (this.#broken) return null;
    const pending = this.#bytes.subarray(this.#start, this.#end);
    if (this.#searchedTo === 0) {
      const lineEnds = skipLineEnds(pending, 0);
      if (this.#expectsPong && lineEnds >= 2) {
        this.#expectsPong = false;
        this.#consume(2);
        return { kind: 'pong' };
      }
      if (lineEnds > 0) {
        const whole = lineEnds - (lineEnds === pending.length ? lineEnds % 4 : 0);
        this.#consume(whole);
        return whole >= 4 ? { kind: 'ping' } : whole > 0 ? this.#next() : null;
      }
    }
    const headEnd = findHeadEnd(pending, this.#searchedTo, maxHeadBytes);
    if (headEnd === -1) {
      if (pending.length > maxHeadBytes) return this.#fail();
      this.#searchedTo = Math.max(0, pending.length - 3);
      return null;
    }
    const bodyLength = contentLength(pending.subarray(0, headEnd));
    if (bodyLength === null || bodyLength > maxBodyBytes) return this.#fail();
    const end = headEnd + 4 + bodyLength;
    if (pending.length < end) {
      this.#searchedTo = headEnd;
      return null;
    }
    const bytes = pending.slice(0, end);
    this.#consume(end);
    return { kind: 'message', bytes };
  }

  #fail(): StreamItem {
    this.#broken = true;
    const bytes = this.#bytes.slice(this.#start, this.#end);
    this.#bytes = new Uint8Array(0);
    this.#start = 0;
    this.#end = 0;
    return { kind: 'fault', bytes };
  }

  #append(chunk: Uint8Array): void {
    if (this.#end + chunk.length > this.#bytes.length) {
      const pending = this.#bytes.subarray(this.#start, this.#end);
      const needed = pending.length + chunk.length;
      const target =
        needed > this.#bytes.length ? new Uint8Array(Math.max(needed, this.#bytes.length * 2)) : this.#bytes;
      target.set(pending);
      this.#bytes = target;
      this.#start = 0;
      this.#end = pending.length;
    }
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  #consume(count: number): void {
    this.#start += count;
    this.#searchedTo = 0;
    if (this.#start === this.#end) {
      this.#start = 0;
      this.#end = 0;
      // A buffer grown for a large message is not kept while the connection is idle.
      if (this.#bytes.length > initialCapacity) this.#bytes = new Uint8Array(initialCapacity);
    }
  }
}

/** Returns Content-Length, 0 without the field; null when it is malformed or contradictory. */
function contentLength(head: Uint8Array): number | null {
  const values = new Set<string>();
  for (const match of Buffer.from(head.buffer, head.byteOffset, head.length)
    .toString('latin1')
    .matchAll(lengthPattern)) {
    values.add((match[1] ?? '').trim());
  }
  if (values.size === 0) return 0;
  const [value = ''] = values;
  return values.size === 1 && /^\d{1,9}$/.test(value) ? Number(value) : null;
}
