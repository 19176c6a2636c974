/** Seconds from 1900, the epoch of NTP, to 1970. @see RFC 5905 §6 */
const epochOffsetSeconds = 2_208_988_800;

/** NTP timestamp: seconds and fractions of a second, 32 bits each. */
export function toNtp(wallMs: number): { readonly seconds: number; readonly fraction: number } {
  const seconds = Math.floor(wallMs / 1_000);
  const fraction = Math.floor(((wallMs - seconds * 1_000) / 1_000) * 2 ** 32);
  return { seconds: (seconds + epochOffsetSeconds) >>> 0, fraction };
}

/** Middle 32 bits of an NTP timestamp, in 1/65,536 s. @see RFC 3550 §6.4.1 */
export function middleOfNtp(seconds: number, fraction: number): number {
  return (((seconds & 0xffff) << 16) | (fraction >>> 16)) >>> 0;
}
