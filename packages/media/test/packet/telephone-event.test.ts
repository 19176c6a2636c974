import { describe, expect, it } from 'vitest';
import { parseTelephoneEvent, writeTelephoneEvent } from '../../src/packet/telephone-event.ts';

describe('parseTelephoneEvent', () => {
  it.each([...'0123456789*#ABCD'].map((digit, code) => [digit, code] as const))(
    'reads %s as code %i',
    (digit, code) => {
      expect(parseTelephoneEvent(Uint8Array.of(code, 0x8a, 0x01, 0x40))).toEqual({ digit, end: true, duration: 320 });
    },
  );

  it('ignores the reserved bit, the volume and further bytes', () => {
    expect(parseTelephoneEvent(Uint8Array.of(5, 0x7f, 0xff, 0xff, 6, 0x80, 0, 1))).toEqual({
      digit: '5',
      end: false,
      duration: 65_535,
    });
  });

  it.each([
    ['a flash of the hook', [16, 0, 0, 160]],
    ['the last code', [255, 0, 0, 160]],
    ['three bytes', [1, 0, 0]],
    ['no bytes', []],
  ])('returns null for %s', (_, bytes) => {
    expect(parseTelephoneEvent(Uint8Array.from(bytes))).toBeNull();
  });
});

describe('writeTelephoneEvent', () => {
  it('writes the code, the end bit with a volume of −10 dBm0, and the duration', () => {
    expect([...(writeTelephoneEvent({ digit: '#', end: false, duration: 160 }) ?? [])]).toEqual([11, 10, 0, 160]);
    expect([...(writeTelephoneEvent({ digit: 'd', end: true, duration: 0xabcd }) ?? [])]).toEqual([
      15, 138, 0xab, 0xcd,
    ]);
  });

  it.each(['', 'E', 'w', '12', ' ', '٣'])('returns null for %j', (digit) => {
    expect(writeTelephoneEvent({ digit, end: false, duration: 0 })).toBeNull();
  });
});
