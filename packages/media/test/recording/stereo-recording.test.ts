import { describe, expect, it } from 'vitest';
import { legAudio } from '../../src/codec/leg-encoding.ts';
import { encodeSamples } from '../../src/codec/leg-samples.ts';
import { StereoRecording } from '../../src/recording/stereo-recording.ts';

function frames(encoding: 'pcmu' | 'pcma' | 'pcm16', sample: number): Uint8Array {
  return encodeSamples(encoding, new Int16Array(legAudio[encoding].frameSamples).fill(sample));
}

describe('a stereo recording', () => {
  it.each([
    ['pcmu', [], 320],
    ['pcma', [], 320],
    ['pcm16', [16_000], 640],
  ] as const)('of %s sets the sample rates %j and writes %i samples per frame', (encoding, rates, samples) => {
    const set: number[] = [];
    const written: number[][] = [];
    const recording = new StereoRecording(encoding, {
      setSampleRate: (rateHz) => set.push(rateHz),
      write: (each) => written.push([...each]),
      close: async () => {},
    });
    recording.write(frames(encoding, 8_000), frames(encoding, -8_000));
    expect(set).toEqual(rates);
    expect(written.map((each) => each.length)).toEqual([samples]);
    for (const [i, sample] of (written[0] ?? []).entries()) {
      expect(Math.abs(sample - (i % 2 === 0 ? 8_000 : -8_000))).toBeLessThan(200);
    }
  });

  it('converts 16 kHz to 8 kHz for a sink with a fixed rate, each side with its own filter', () => {
    const written: number[][] = [];
    const sink = { write: (each: Int16Array) => void written.push([...each]), close: async () => {} };
    const recording = new StereoRecording('pcm16', sink);
    for (let n = 0; n < 3; n++) recording.write(frames('pcm16', 8_000), frames('pcm16', -8_000));
    expect(written.map((each) => each.length)).toEqual([320, 320, 320]);
    for (const [i, sample] of (written[2] ?? []).entries()) expect(sample).toBe(i % 2 === 0 ? 8_000 : -8_000);
  });
});
