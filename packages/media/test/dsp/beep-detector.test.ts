import { everyPrompt, hasHumanSpeech, recordedBeep } from '@va/test-servers/audio';
import { describe, expect, it } from 'vitest';
import { decodeG711, encodeG711, type G711Encoding } from '../../src/codec/g711.ts';
import { BeepDetector } from '../../src/dsp/beep-detector.ts';
import { measuredAlone } from '../support/heap-growth.ts';

const frameSamples = 160;
const frames = (pcm: Int16Array): Int16Array[] =>
  Array.from({ length: Math.floor(pcm.length / frameSamples) }, (_, i) =>
    pcm.subarray(i * frameSamples, (i + 1) * frameSamples),
  );

/** Returns the frames after which the detector reported a beep. */
function heardAt(pcm: Int16Array): number[] {
  const detector = new BeepDetector();
  return frames(pcm).flatMap((frame, i) => (detector.push(frame) ? [i] : []));
}

/** Returns a sum of sines of `amplitude` each. */
function tones(ms: number, hz: readonly number[], amplitude = 4_000): Float64Array {
  const sum = new Float64Array(ms * 8);
  for (const each of hz) {
    for (let i = 0; i < sum.length; i += 1)
      sum[i] = (sum[i] ?? 0) + amplitude * Math.sin((2 * Math.PI * each * i) / 8_000);
  }
  return sum;
}

const silence = (ms: number): Float64Array => new Float64Array(ms * 8);

/** Returns a reproducible generator of numbers from 0 to 1. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Concatenates sounds and codes them like a telephone line with a little noise. */
function line(parts: readonly Float64Array[], noise = 30, encoding: G711Encoding = 'pcmu'): Int16Array {
  const random = seeded(7);
  const samples = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    for (const sample of part) {
      const noisy = Math.round(sample + (random() - 0.5) * 2 * Math.sqrt(3) * noise);
      samples[at] = Math.max(-32_768, Math.min(32_767, noisy));
      at += 1;
    }
  }
  return decodeG711(encoding, encodeG711(encoding, samples), samples);
}

/** RMS level of noise 20 dB below one sine of amplitude 4,000, whose RMS level is 2,828. */
const noise20dB = 283;
const pitches = [400, 440, 480, 523, 600, 697, 800, 900, 941, 1_000, 1_100, 1_209, 1_400, 1_600, 1_800, 1_950, 2_000];

describe('the beep of an answering machine', () => {
  it.each(pitches)('of %s Hz is detected once, for any duration and start', (hz) => {
    const missed: string[] = [];
    for (const ms of [120, 160, 300, 1_000, 3_000]) {
      for (const startMs of [500, 505, 511, 517]) {
        const count = heardAt(line([silence(startMs), tones(ms, [hz]), silence(500)], noise20dB)).length;
        if (count !== 1) missed.push(`${ms} ms after ${startMs} ms: ${count} times`);
      }
    }
    expect(missed).toEqual([]);
  });

  it.each([
    [800, 1_100],
    [400, 1_000],
    [950, 1_800],
    [600, 750],
    [1_300, 1_500],
  ])('of %s and %s Hz at once is detected', (low, high) => {
    for (const ms of [120, 400]) {
      expect(heardAt(line([silence(400), tones(ms, [low, high]), silence(500)], 250, 'pcma'))).toHaveLength(1);
    }
  });

  it('of two successive tones is detected once, after the second', () => {
    const [end, ...others] = heardAt(line([silence(400), tones(150, [800]), tones(150, [1_200]), silence(500)]));
    expect(others).toEqual([]);
    expect(end).toBeGreaterThanOrEqual((400 + 300) / 20);
  });

  it('is detected within 100 ms after its end', () => {
    const [at] = heardAt(line([silence(500), tones(400, [1_000]), silence(500)]));
    expect(at).toBeGreaterThan(900 / 20);
    expect(at).toBeLessThanOrEqual(1_000 / 20);
  });

  it('is detected when soft, loud or decaying, and once per beep', () => {
    const fading = tones(400, [880], 12_000).map((sample, i) => sample * Math.exp(-i / 1_600));
    const beeps = [tones(300, [1_000], 300), tones(300, [1_000], 30_000), fading, tones(300, [1_000])];
    expect(
      heardAt(
        line(
          beeps.flatMap((beep) => [silence(300), beep, silence(300)]),
          10,
        ),
      ),
    ).toHaveLength(4);
  });

  it('is detected in chunks of any length', () => {
    const pcm = line([silence(300), tones(300, [1_000]), silence(300)]);
    const detector = new BeepDetector();
    let count = 0;
    for (let at = 0; at < pcm.length; at += 333) if (detector.push(pcm.subarray(at, at + 333))) count += 1;
    expect(count).toBe(1);
  });
});

describe('the beep detector ignores', () => {
  const cadence = (onMs: number, offMs: number, ...hz: number[]): Float64Array[] =>
    Array.from({ length: 4 }, () => [tones(onMs, hz), silence(offMs)]).flat();

  it.each([
    ['of North America', cadence(2_000, 4_000, 440, 480)],
    ['of Europe', cadence(1_000, 4_000, 425)],
    ['of Great Britain', cadence(400, 200, 400, 450)],
  ])('the ringback tone %s', (_, parts) => {
    for (const offsetMs of [0, 3, 7, 11]) {
      expect(heardAt(line([silence(200 + offsetMs), ...parts, silence(200)], 60))).toEqual([]);
    }
  });

  it.each([
    ['the busy tone of North America', cadence(500, 500, 480, 620)],
    ['the busy tone of Europe', cadence(500, 500, 425)],
    ['a dial tone', [tones(3_000, [350, 440]), silence(500)]],
    [
      'the tones for a number out of service',
      [tones(330, [950]), tones(330, [1_400]), tones(330, [1_800]), silence(500)],
    ],
    ['a test tone', [tones(8_000, [1_004]), silence(500)]],
    ['a tone that is too short', cadence(60, 300, 1_000)],
    ['a tone below the noise', [silence(300), tones(500, [1_000], 60), silence(300)]],
    [
      'a siren',
      [Float64Array.from({ length: 16_000 }, (__, i) => 6_000 * Math.sin(2 * Math.PI * (600 + i / 40) * (i / 8_000)))],
    ],
    ['a tone that beats', cadence(500, 500, 1_000, 1_050)],
    ['a tone that warbles', cadence(500, 500, 1_000, 1_025)],
    ['silence', [silence(2_000)]],
  ])('%s', (_, parts) => {
    expect(heardAt(line([silence(200), ...parts, silence(200)], 60))).toEqual([]);
  });

  it('DTMF keys of any duration', () => {
    const rows = [697, 770, 852, 941];
    const columns = [1_209, 1_336, 1_477, 1_633];
    const found: string[] = [];
    for (const row of rows) {
      for (const column of columns) {
        for (const [ms, twist] of [
          [50, 1],
          [100, 0.8],
          [250, 1.25],
          [1_000, 1],
        ] as const) {
          const low = tones(ms, [row], 5_000);
          const key = tones(ms, [column], 5_000 * twist).map((sample, i) => sample + (low[i] ?? 0));
          if (heardAt(line([silence(203), key, silence(200)], 60)).length > 0) found.push(`${row}+${column} ${ms} ms`);
        }
      }
    }
    expect(found).toEqual([]);
  });

  it('music: chords, plucked strings, and a melody of pure tones', () => {
    const notes = [523, 659, 784, 1_047, 784, 659, 587, 698, 880];
    const plucked = notes.map((hz) =>
      tones(300, [hz, 2 * hz, 3 * hz, 4 * hz], 3_000).map((sample, i) => sample * Math.exp(-i / 1_200)),
    );
    const chords = [
      [440, 554, 659],
      [494, 587, 740],
      [523, 659, 784],
    ].map((chord) => tones(700, chord, 3_000));
    const flute = notes.map((hz) => tones(250, [hz], 6_000));
    for (const music of [plucked, chords, flute])
      expect(heardAt(line([silence(200), ...music, silence(300)], 60))).toEqual([]);
  });
});

describe.skipIf(!hasHumanSpeech())('the beep detector on prompts (Debian: asterisk-core-sounds-en-wav)', () => {
  it('finds no beep in any prompt, at several pitches', async () => {
    const found: string[] = [];
    for (const [name, pcm] of await everyPrompt()) {
      for (const pace of [0.8, 1, 1.25]) {
        const voice = new Int16Array(Math.floor(pcm.length / pace));
        for (let i = 0; i < voice.length; i += 1) voice[i] = pcm[Math.floor(i * pace)] ?? 0;
        const coded = decodeG711('pcmu', encodeG711('pcmu', voice), voice);
        if (heardAt(coded).length > 0) found.push(`${name} at ${pace}`);
      }
    }
    expect(found).toEqual([]);
  });

  it('finds a recorded beep after a greeting once', async () => {
    const [[, greeting] = ['', new Int16Array(0)]] = await everyPrompt();
    const beep = await recordedBeep();
    const whole = new Int16Array(greeting.length + 4_000 + beep.length + 4_000);
    whole.set(greeting);
    whole.set(beep, greeting.length + 4_000);
    expect(heardAt(whole)).toHaveLength(1);
  });
});

it('the beep detector allocates neither views nor arrays per frame', async () => {
  // A double that is not inlined takes 16 bytes, a view of an array 96.
  expect(await measuredAlone('beep-detector.ts')).toBeLessThan(80);
});
