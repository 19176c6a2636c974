import { describe, expect, it } from 'vitest';
import { Base64SampleDecoder } from '../../src/realtime/base64-sample-decoder.ts';

const encode = (...bytes: number[]) => Buffer.from(bytes).toString('base64');

function decodeAll(bytesPerSample: number, ...chunks: string[]): number[][] {
  const decoder = new Base64SampleDecoder(bytesPerSample);
  return chunks.map((chunk) => [...decoder.decode(chunk)]);
}

describe('Base64SampleDecoder', () => {
  it('carries the rest of a sample over to the next chunk', () => {
    expect(decodeAll(2, encode(1, 2, 3), encode(4), encode(5), encode(6, 7))).toEqual([[1, 2], [3, 4], [], [5, 6]]);
  });

  it('returns all bytes of one-byte samples', () => {
    expect(decodeAll(1, encode(1, 2, 3))).toEqual([[1, 2, 3]]);
  });

  it.each(['A', 'AAAAA', 'AA-_', 'A=AA', '{}', 'AAAA\n', 'ä'])(
    'drops the invalid Base64 %j, without a shift',
    (invalid) => {
      expect(decodeAll(2, encode(1), invalid, encode(2, 3, 4))).toEqual([[], [], [1, 2, 3, 4]]);
    },
  );

  it('accepts Base64 without padding', () => {
    expect(decodeAll(2, encode(1, 2).replace('=', ''))).toEqual([[1, 2]]);
  });
});
