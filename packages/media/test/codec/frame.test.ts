import { describe, expect, it } from 'vitest';
import { decodeFrame, NarrowDecoder, silentFrames } from '../../src/codec/frame.ts';
import { legAudio } from '../../src/codec/leg-encoding.ts';
import { encodeSamples } from '../../src/codec/leg-samples.ts';

describe.each(['pcmu', 'pcma', 'pcm16'] as const)('frames of %s', (encoding) => {
  const { frameSamples, frameBytes, bytesPerSample } = legAudio[encoding];
  const frameOf = (sample: number, samples = frameSamples): Uint8Array =>
    encodeSamples(encoding, new Int16Array(samples).fill(sample));

  it('are decoded to their samples', () => {
    const samples = decodeFrame(encoding, frameOf(8_000));
    expect(samples).toHaveLength(frameSamples);
    for (const sample of samples) expect(Math.abs(sample - 8_000)).toBeLessThan(200);
  });

  it('are decoded to one shared buffer, and audio of another length to its own', () => {
    const first = decodeFrame(encoding, frameOf(8_000));
    const half = decodeFrame(encoding, frameOf(-8_000, frameSamples / 2));
    expect(half).toHaveLength(frameSamples / 2);
    expect(first[0]).toBeGreaterThan(7_000);
    expect(decodeFrame(encoding, frameOf(-8_000))).toBe(first);
    expect(first[0]).toBeLessThan(-7_000);
  });

  it('are decoded to silence if they are silent frames', () => {
    expect(silentFrames[encoding]).toHaveLength(frameBytes);
    expect(silentFrames[encoding].length / bytesPerSample).toBe(frameSamples);
    for (const sample of decodeFrame(encoding, silentFrames[encoding])) expect(Math.abs(sample)).toBeLessThanOrEqual(8);
  });

  it('are decoded for detectors to 160 samples of 8 kHz', () => {
    const decoder = new NarrowDecoder(encoding);
    decoder.decode(frameOf(8_000));
    const samples = decoder.decode(frameOf(8_000));
    expect(samples).toHaveLength(160);
    for (const sample of samples) expect(Math.abs(sample - 8_000)).toBeLessThan(200);
  });
});
