import { createHash } from 'node:crypto';
import { type RandomBytes, systemRandom } from '@va/media';
import type { Clock } from './ports/clock.ts';

export { type RandomBytes, systemRandom };

/**
 * Returns a UUID that sorts by time.
 * @see RFC 9562 §5.7
 */
export function uuidv7(clock: Clock, random: RandomBytes = systemRandom): string {
  return format(newUuid(clock, random));
}

/**
 * Returns a generator of UUIDs, each greater than the one before, also within a millisecond.
 * @see RFC 9562 §6.2, method 2
 * @example const nextId = uuidv7Sequence(systemClock, systemRandom);
 */
export function uuidv7Sequence(clock: Clock, random: RandomBytes): () => string {
  let last: Uint8Array | null = null;
  return () => {
    const next = newUuid(clock, random);
    if (last !== null && Buffer.compare(next, last) <= 0) {
      next.set(last);
      const tail = new DataView(next.buffer, 8);
      tail.setBigUint64(0, tail.getBigUint64(0) + 1n);
    }
    last = next;
    return format(next);
  };
}

/**
 * Derives a UUID from a text.
 * @see RFC 9562 §5.8
 */
export function uuidv8(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return format(bytes);
}

function newUuid(clock: Clock, random: RandomBytes): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  const atMs = Math.floor(clock.wallMs());
  view.setUint16(0, Math.floor(atMs / 2 ** 32));
  view.setUint32(2, atMs % 2 ** 32);
  bytes.set(random(10), 6);
  view.setUint8(6, (view.getUint8(6) & 0x0f) | 0x70);
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80);
  return bytes;
}

function format(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns true for a UUID of any version, in lower or upper case. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
