import { describe, expect, it } from 'vitest';
import { middleOfNtp, toNtp } from '../../../src/rtp/rtcp/ntp.ts';

describe('an NTP timestamp', () => {
  it.each([
    ['1970-01-01T00:00:00.000Z', 2_208_988_800, 0],
    ['2026-01-01T00:00:00.500Z', 3_976_214_400, 0x80000000],
    ['2026-01-01T00:00:00.999Z', 3_976_214_400, Math.floor(0.999 * 2 ** 32)],
    // The first second of era 1, in which the seconds start at 0 again (RFC 5905 §6).
    ['2036-02-07T06:28:16.000Z', 0, 0],
  ])('of %s counts from 1900', (at, seconds, fraction) => {
    expect(toNtp(Date.parse(at))).toEqual({ seconds, fraction });
  });

  it('is reduced to its middle 32 bits', () => {
    expect(middleOfNtp(0x12345678, 0x9abcdef0)).toBe(0x56789abc);
    expect(middleOfNtp(0xffffffff, 0xffffffff)).toBe(0xffffffff);
  });
});
