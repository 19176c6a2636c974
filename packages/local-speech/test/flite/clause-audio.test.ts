import { describe, expect, it } from 'vitest';
import { clauseAudio } from '../../src/flite/clause-audio.ts';

/** Samples at 8 kHz: silence, a tone, silence. */
function synthesized(silentMs: number, voicedMs: number, afterMs: number = silentMs): Int16Array {
  const samples = new Int16Array((silentMs + voicedMs + afterMs) * 8);
  for (let i = silentMs * 8; i < (silentMs + voicedMs) * 8; i++) samples[i] = i % 2 === 0 ? 8_000 : -8_000;
  return samples;
}

describe('clauseAudio', () => {
  it('shortens the silence before and after the voice', () => {
    const { samples } = clauseAudio('One two.', synthesized(250, 400));
    expect(samples).toHaveLength((20 + 400 + 140) * 8);
    expect(samples.subarray(0, 20 * 8).every((sample) => sample === 0)).toBe(true);
    expect(samples[20 * 8]).not.toBe(0);
  });

  it('keeps silence that is shorter than the pauses', () => {
    expect(clauseAudio('Yes.', synthesized(10, 100)).samples).toHaveLength(120 * 8);
    expect(clauseAudio('Yes.', synthesized(0, 55, 0)).samples).toHaveLength(55 * 8);
  });

  it('spreads the words over the voice by their letters', () => {
    const { words } = clauseAudio('Hi, there – friend', synthesized(250, 1_400));
    expect(words.map(({ text }) => text)).toEqual(['Hi,', 'there', 'friend']);
    expect(words[0]).toEqual({ text: 'Hi,', startMs: 20, endMs: 320 });
    expect(words[1]?.startMs).toBe(words[0]?.endMs);
    expect(words[2]?.endMs).toBeCloseTo(1_420, 6);
  });

  it.each([
    ['no samples', new Int16Array(0)],
    ['silence', new Int16Array(8_000)],
  ])('returns nothing for %s', (_, samples) => {
    expect(clauseAudio('Hello.', samples)).toEqual({ samples: new Int16Array(0), words: [] });
  });

  it('returns no words for a text without letters', () => {
    expect(clauseAudio('…', synthesized(250, 100)).words).toEqual([]);
  });

  it('measures samples at full scale without overflow', () => {
    const samples = synthesized(250, 100);
    samples.fill(-32_768, 250 * 8, 350 * 8);
    expect(clauseAudio('No.', samples).samples).toHaveLength((20 + 100 + 140) * 8);
  });
});
