import type { NoiseName } from '@va/test-servers/audio';

/** The noise under the caller's voice, and how far it is below the speech level. */
export interface Condition {
  readonly name: string;
  readonly noise: { readonly name: NoiseName; readonly signalToNoiseDb: number } | null;
}

/**
 * Results of the VAD model when it was chosen, on 63 turns of the same speaker, per window: missed turns, false starts,
 * and the median latencies of onset and offset with 400 ms of hangover. `lateOnsetMs` is the 95th percentile of the
 * same method on the sentences used here, some of which begin very softly.
 */
export interface Bounds {
  readonly missedTurns: number;
  readonly falseStarts: number;
  readonly onsetMs: number;
  readonly lateOnsetMs: number;
  /** Null when other people keep talking, because the end of speech cannot be detected then. */
  readonly offsetMs: number | null;
}

const under = (name: NoiseName, signalToNoiseDb: number): Condition => ({
  name: `${name} ${signalToNoiseDb} dB below`,
  noise: { name, signalToNoiseDb },
});

export const clean: Condition = { name: 'nothing', noise: null };

export const measured: readonly (readonly [Condition, Bounds])[] = [
  [clean, { missedTurns: 2, falseStarts: 0, onsetMs: 76, lateOnsetMs: 202, offsetMs: 478 }],
  [under('white', 20), { missedTurns: 1, falseStarts: 0, onsetMs: 79, lateOnsetMs: 259, offsetMs: 463 }],
  [under('white', 10), { missedTurns: 1, falseStarts: 0, onsetMs: 117, lateOnsetMs: 291, offsetMs: 455 }],
  [under('brown', 10), { missedTurns: 1, falseStarts: 0, onsetMs: 96, lateOnsetMs: 236, offsetMs: 400 }],
  [under('music', 15), { missedTurns: 1, falseStarts: 0, onsetMs: 106, lateOnsetMs: 295, offsetMs: 475 }],
  [under('babble', 15), { missedTurns: 0, falseStarts: 14, onsetMs: 95, lateOnsetMs: 201, offsetMs: null }],
  [under('babble', 10), { missedTurns: 0, falseStarts: 16, onsetMs: 115, lateOnsetMs: 276, offsetMs: null }],
];

/** Noise without speech; `share` is its level relative to the speech level. */
export const withoutSpeech: readonly { readonly noise: NoiseName; readonly share: number }[] = [
  { noise: 'white', share: 0.1 },
  { noise: 'brown', share: 0.1 },
  { noise: 'music', share: 0.5 },
  { noise: 'keys', share: 0.7 },
];
