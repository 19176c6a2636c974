import { findHeadEnd, maxHeadBytes, skipLineEnds } from '../message/parse.ts';

/** What a stream holds: messages, keep-alive pings, or bytes in which no message can be found any more. */
export type StreamItem = { readonly kind: 'message' | 'fault'; readonly bytes: Uint8Array } | { readonly kind: 'ping' };

/** Longest message body, in bytes. */
const maxBodyBytes = 65_536;
const initialCapacity = 4_096;
const lengthPattern = /\r\n(?:content-length|l)[ \t]*:[ \t]*([^\r\n]*)/gi;

/**
 * Cuts a byte stream into messages by Content-Length. It never holds more than one message of the largest size, and
 * looks at each byte of a header section once.
 * @see RFC 3261 §18.3, RFC 5626 §3.5.1
 */
export class StreamFramer {
  #bytes = new Uint8Array(initialCapacity);
  #length = 0;
  #searchedTo = 0;
  #broken = false;

  /** Takes what arrived and gives what is complete. After a fault nothing more comes. */
  push(chunk: Uint8Array): StreamItem[] {
    const items: StreamItem[] = [];
    if (this.#broken) return items;
    this.#append(chunk);
    for (let item = this.#next(); item !== null; item = this.#next()) items.push(item);
    return items;
  }

  #next(): StreamItem | null {
    if (this.#broken) return null;
    const pending = this.#bytes.subarray(0, this.#length);
    if (this.#searchedTo === 0) {
      const lineEnds = skipLineEnds(pending, 0);
      if (lineEnds > 0) {
        const whole = lineEnds - (lineEnds === this.#length ? lineEnds % 4 : 0);
        this.#consume(whole);
        return whole >= 4 ? { kind: 'ping' } : whole > 0 ? this.#next() : null;
      }
    }
    const headEnd = findHeadEnd(pending, this.#searchedTo, maxHeadBytes);
    if (headEnd === -1) {
      if (this.#length > maxHeadBytes) return this.#fail();
      this.#searchedTo = Math.max(0, this.#length - 3);
      return null;
    }
    const bodyLength = contentLength(pending.subarray(0, headEnd));
    if (bodyLength === null || bodyLength > maxBodyBytes) return this.#fail();
    const end = headEnd + 4 + bodyLength;
    if (this.#length < end) {
      this.#searchedTo = headEnd;
      return null;
    }
    const bytes = pending.slice(0, end);
    this.#consume(end);
    return { kind: 'message', bytes };
  }

  #fail(): StreamItem {
    this.#broken = true;
    const bytes = this.#bytes.slice(0, this.#length);
    this.#bytes = new Uint8Array(0);
    return { kind: 'fault', bytes };
  }

  #append(chunk: Uint8Array): void {
    const needed = this.#length + chunk.length;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = needed;
  }

  #consume(count: number): void {
    this.#bytes.copyWithin(0, count, this.#length);
    this.#length -= count;
    this.#searchedTo = 0;
  }
}

/** Null when the header is malformed or contradicts itself; a message without it has no body. */
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
