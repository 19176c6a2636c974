import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Recording } from '../../bench/listening/recordings.ts';
import { partOf, turnsFrom } from '../../bench/listening/turns.ts';

const samplesPerMs = 8;

/** Returns a recording of pieces of 600 ms of voice with gaps of 200 ms. */
function recorded(name: string, pieces: readonly string[]): Recording {
  const voiced = pieces.map((_, i) => ({ fromMs: i * 800, toMs: i * 800 + 600 }));
  const pcm = new Int16Array(800 * pieces.length * samplesPerMs);
  for (const { fromMs, toMs } of voiced) pcm.fill(5_000, fromMs * samplesPerMs, toMs * samplesPerMs);
  return { name, language: 'en', text: pieces.join(' '), pcm, voiced, pieces };
}

const digest = (pcm: Int16Array): string => createHash('sha256').update(pcm).digest('hex');

const recordings = [
  recorded('en/a', ['If you like,', 'I can call you back.']),
  recorded('en/b', ['I am sorry.', 'We are closed today.']),
  recorded('en/c', ['One moment,', 'please,', 'I am looking.']),
];

describe('the turns of the listening benchmark', () => {
  const turns = turnsFrom(recordings, 0);

  it('have a lengthened pause where the speaker paused, and nowhere else', () => {
    const paused = turns.filter(({ kind }) => kind === 'paused' || kind === 'sentences');
    expect(paused.length).toBeGreaterThan(0);
    for (const { name, pcm } of paused) {
      const original = recordings.find((each) => each.name === name);
      const voice = (samples: Int16Array): number => samples.filter((sample) => sample !== 0).length;
      expect(voice(pcm)).toBe(voice(original?.pcm ?? new Int16Array()));
      const stretches = [...pcm.join(',').matchAll(/(?:5000,?)+/g)].map(
        ([each]) => each.split(',').filter(Boolean).length,
      );
      expect(new Set(stretches)).toEqual(new Set([600 * samplesPerMs]));
    }
  });

  it('pause at commas in one kind and at ends of sentences in the other', () => {
    const names = (kind: string): Set<string> =>
      new Set(turns.filter((each) => each.kind === kind).map((each) => each.name));
    expect(names('paused')).toEqual(new Set(['en/a', 'en/c']));
    expect(names('sentences')).toEqual(new Set(['en/b']));
  });

  it('end with their last word', () => {
    for (const { words, endMs, pcm } of turns) {
      expect(words.at(-1)?.endMs).toBeCloseTo(endMs, 0);
      expect(endMs).toBeLessThanOrEqual(pcm.length / samplesPerMs);
      const ends = words.map((word) => word.endMs);
      expect(ends).toEqual([...ends].sort((a, b) => a - b));
    }
  });

  it('are the same for the same seed', () => {
    // Comparing recordings sample by sample takes seconds.
    const comparable = turnsFrom(recordings, 0).map((turn) => ({ ...turn, pcm: digest(turn.pcm) }));
    expect(comparable).toEqual(turns.map((turn) => ({ ...turn, pcm: digest(turn.pcm) })));
  });

  it('have other pauses with another seed', () => {
    const lengths = (of: typeof turns): number[] => of.map(({ pcm }) => pcm.length);
    expect(lengths(turnsFrom(recordings, 1))).not.toEqual(lengths(turns));
  });
});

it('the tuning and judging parts of the listening benchmark share no recording', () => {
  const names = Array.from({ length: 101 }, (_, i) => `recording ${i}`);
  const [tuning, judging] = [partOf(names, 'tuning'), partOf(names, 'judging')];
  expect(tuning.filter((name) => judging.includes(name))).toEqual([]);
  expect(new Set([...tuning, ...judging])).toEqual(new Set(names));
});
