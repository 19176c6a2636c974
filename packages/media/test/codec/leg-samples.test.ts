import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodingOf, formatOf, legAudio } from '../../src/codec/leg-encoding.ts';
import { decodeSamples, encodeSamples, interleaveSamples } from '../../src/codec/leg-samples.ts';

describe('samples of a leg', () => {
  it('round-trip as 16-bit little-endian at any address', () => {
    fc.assert(
      fc.property(fc.int16Array({ maxLength: 40 }), fc.nat(3), (samples, offset) => {
        const bytes = new Uint8Array(offset + 2 * samples.length).subarray(offset);
        expect(encodeSamples('pcm16', samples, bytes)).toEqual(
          new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength),
        );
        expect(decodeSamples('pcm16', bytes)).toEqual(samples);
      }),
      { numRuns: 50 },
    );
  });

  it('leave out the first half of a sample at the end', () => {
    expect([...decodeSamples('pcm16', Uint8Array.of(1, 0, 2))]).toEqual([1]);
    expect(decodeSamples('pcm16', Uint8Array.of(1))).toHaveLength(0);
  });

  it.each(['pcmu', 'pcma', 'pcm16'] as const)('consist of the silence of %s when they are zero', (encoding) => {
    const { frameSamples, frameBytes, silence } = legAudio[encoding];
    const frame = encodeSamples(encoding, new Int16Array(frameSamples));
    expect(frame).toEqual(new Uint8Array(frameBytes).fill(silence));
  });

  it.each(['pcmu', 'pcma', 'pcm16'] as const)('are interleaved in %s with the left channel first', (encoding) => {
    const left = encodeSamples(encoding, Int16Array.of(-32_124, 0));
    const right = encodeSamples(encoding, Int16Array.of(1_000, 8_000));
    const stereo = interleaveSamples(encoding, left, right, new Int16Array(4));
    expect(stereo.filter((_, i) => i % 2 === 0)).toEqual(decodeSamples(encoding, left));
    expect(stereo.filter((_, i) => i % 2 === 1)).toEqual(decodeSamples(encoding, right));
  });
});

describe('encodingOf', () => {
  it.each(['pcmu', 'pcma', 'pcm16'] as const)('is the inverse of formatOf for %s', (encoding) => {
    expect(encodingOf(formatOf(encoding))).toBe(encoding);
  });

  it.each([
    ['pcmu', 16_000],
    ['pcma', 0],
    ['pcm16', 8_000],
    ['pcm16', 24_000],
  ] as const)('refuses %s at %i Hz', (encoding, sampleRateHz) => {
    expect(() => encodingOf({ encoding, sampleRateHz })).toThrow(
      expect.objectContaining({ code: 'unsupported_format' }),
    );
  });
});
