import { seeded } from '@va/test-servers/audio';
import { describe, expect, it } from 'vitest';
import { type SpeechTail, SpeechTailMeter } from '../../src/dsp/speech-tail.ts';

const samplesPerMs = 8;
const random = seeded(3);

/** Returns a voice: a pulse train of that pitch and level at each millisecond. */
function voice(ms: number, pitchHz: (ms: number) => number, level: (ms: number) => number): Int16Array {
  let phase = 0;
  return Int16Array.from({ length: ms * samplesPerMs }, (_, i) => {
    phase += pitchHz(i / samplesPerMs) / 8_000;
    const harmonics = [1, 2, 3, 4, 5].reduce((sum, n) => sum + Math.sin(2 * Math.PI * n * phase) / n, 0);
    return 3_000 * level(i / samplesPerMs) * harmonics;
  });
}

function tailOf(pcm: Int16Array, silentMs = 0): SpeechTail {
  const meter = new SpeechTailMeter();
  for (let at = 0; at < pcm.length; at += 160) meter.push(pcm.subarray(at, at + 160));
  meter.push(new Int16Array(silentMs * samplesPerMs));
  return meter.measure(silentMs);
}

describe('the end of speech', () => {
  it.each([
    ['falls', 120, 90, -4.98],
    ['rises', 200, 252, 4],
    ['stays', 150, 150, 0],
  ])('has a pitch that %s', (_name, beforeHz, afterHz, semitones) => {
    const pcm = voice(
      900,
      (ms) => (ms < 760 ? beforeHz : afterHz),
      () => 1,
    );
    expect(tailOf(pcm).pitchChangeSt).toBeCloseTo(semitones, 0);
  });

  it('has a level relative to the speech before it', () => {
    const pcm = voice(
      900,
      () => 150,
      (ms) => (ms < 760 ? 1 : 0.5),
    );
    expect(tailOf(pcm).levelChangeDb).toBeCloseTo(-6, 0);
  });

  it('has a last voiced part, which begins after an unvoiced one', () => {
    const pcm = voice(
      900,
      () => 150,
      (ms) => (ms > 500 && ms < 700 ? 0 : 1),
    );
    const { lastVoicedMs } = tailOf(pcm);
    expect(lastVoicedMs).toBeGreaterThanOrEqual(140);
    expect(lastVoicedMs).toBeLessThanOrEqual(220);
  });

  it('is the same when the silence after it is skipped', () => {
    const pcm = voice(
      900,
      (ms) => 200 - ms / 10,
      (ms) => 1 - ms / 2_000,
    );
    expect(tailOf(pcm, 200)).toEqual(tailOf(pcm));
  });

  it.each([1, 7, 160, 3_000, 20_000])('is the same when the audio comes in pieces of %i samples', (length) => {
    const pcm = voice(
      2_900,
      (ms) => 200 - ms / 30,
      (ms) => 1 - ms / 6_000,
    );
    const meter = new SpeechTailMeter();
    for (let at = 0; at < pcm.length; at += length) meter.push(pcm.subarray(at, at + length));
    expect(meter.measure(100)).toEqual(tailOf(pcm.subarray(0, -100 * samplesPerMs)));
  });

  it.each([
    ['noise', Int16Array.from({ length: 7_200 }, () => 4_000 * random() - 2_000)],
    [
      'a sound that is too short',
      voice(
        100,
        () => 150,
        () => 1,
      ),
    ],
    ['silence', new Int16Array(7_200)],
    ['a constant offset', new Int16Array(7_200).fill(4_000, 3_600)],
    ['no samples', new Int16Array(0)],
  ])('has no pitch for %s', (_name, pcm) => {
    expect(tailOf(pcm)).toMatchObject({ pitchChangeSt: null, levelChangeDb: 0 });
    expect(tailOf(pcm).lastVoicedMs).toBeGreaterThanOrEqual(0);
  });
});
