/** Offsets of the first and the last byte. */
export interface ByteRange {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

/**
 * Parses a `Range` header with one byte range. Returns null if the whole representation is to be sent: without a
 * header, with a malformed one, another unit, or several ranges, which a server may ignore.
 * @see RFC 9110 §14.1.2, §14.2
 */
export function parseRange(header: string | null, byteLength: number): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') return suffix(Number(last), byteLength);
  const start = Number(first);
  const end = last === '' ? byteLength - 1 : Math.min(Number(last), byteLength - 1);
  if (last !== '' && Number(last) < start) return null;
  return start < byteLength ? { start, end } : 'unsatisfiable';
}

function suffix(length: number, byteLength: number): ByteRange | 'unsatisfiable' {
  if (length === 0 || byteLength === 0) return 'unsatisfiable';
  return { start: Math.max(0, byteLength - length), end: byteLength - 1 };
}
