import { describe, expect, it } from 'vitest';
import { legAudio } from '../../src/codec/leg-encoding.ts';
import { decodeSamples, encodeSamples } from '../../src/codec/leg-samples.ts';
import { VoiceLevel } from '../../src/playout/voice-level.ts';

describe.each(['pcmu', 'pcma', 'pcm16'] as const)('the level of the voice in %s', (encoding) => {
  const { frameSamples } = legAudio[encoding];

  function applied(level: VoiceLevel, frames: number): number[] {
    const samples: number[] = [];
    for (let n = 0; n < frames; n++) {
      const frame = encodeSamples(encoding, new Int16Array(frameSamples).fill(16_000));
      level.apply(frame);
      samples.push(...decodeSamples(encoding, frame));
    }
    return samples;
  }

  it('changes within 40 ms, evenly, and stays', () => {
    const level = new VoiceLevel(encoding);
    level.set(-20);
    const samples = applied(level, 4);
    const isFalling = samples.every((sample, i) => i === 0 || sample <= (samples[i - 1] as number));
    expect(isFalling).toBe(true);
    expect(samples[frameSamples] as number).toBeGreaterThan(7_000);
    for (const sample of samples.slice(2 * frameSamples)) expect(Math.abs(sample - 1_600)).toBeLessThan(60);
  });

  it('returns to frames that are exactly as they were', () => {
    const level = new VoiceLevel(encoding);
    for (const db of [-7, -120, Number.NEGATIVE_INFINITY, -33.3]) {
      level.set(db);
      applied(level, 3);
      level.set(0);
      applied(level, 3);
      const frame = new Uint8Array(legAudio[encoding].frameBytes).fill(0x7f);
      level.apply(frame);
      expect(frame).toEqual(new Uint8Array(frame.length).fill(0x7f));
    }
  });

  it('never exceeds the full level', () => {
    const level = new VoiceLevel(encoding);
    level.set(12);
    const [full] = decodeSamples(encoding, encodeSamples(encoding, Int16Array.of(16_000)));
    expect(Math.max(...applied(level, 3))).toBe(full);
  });

  it('is full at once after a reset', () => {
    const level = new VoiceLevel(encoding);
    level.set(-40);
    applied(level, 3);
    level.reset();
    expect(applied(level, 1)[0]).toBeGreaterThan(15_000);
  });
});
