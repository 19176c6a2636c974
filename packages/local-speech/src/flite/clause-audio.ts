import type { WordTiming } from '@va/core/adapter';

const samplesPerMs = 8;
const windowSamples = 80;
/** Share of the level of the loudest window: quieter windows at either end are silence. */
const silenceShare = 0.02;
/**
 * Pauses at both ends of a clause, so that clauses follow each other as in one breath: flite adds a quarter of a second
 * of silence at each end.
 */
const leadingMs = 20;
const trailingMs = 140;

export interface ClauseAudio {
  readonly samples: Int16Array;
  /** Times count from the first sample of the clause. */
  readonly words: readonly WordTiming[];
}

function levels(samples: Int16Array): number[] {
  return Array.from({ length: Math.ceil(samples.length / windowSamples) }, (_, window) => {
    const part = samples.subarray(window * windowSamples, (window + 1) * windowSamples);
    return part.reduce((sum, sample) => sum + Math.abs(sample), 0) / part.length;
  });
}

/** Shortens the silence at the ends to pauses, and spreads the words over the voiced part by their letters. */
export function clauseAudio(text: string, synthesized: Int16Array): ClauseAudio {
  const loudness = levels(synthesized);
  const threshold = Math.max(...loudness, 0) * silenceShare;
  const first = loudness.findIndex((level) => level > threshold);
  if (first < 0) return { samples: new Int16Array(0), words: [] };
  const voicedFrom = first * windowSamples;
  const voicedTo = Math.min(
    synthesized.length,
    (loudness.findLastIndex((level) => level > threshold) + 1) * windowSamples,
  );
  const from = Math.max(0, voicedFrom - leadingMs * samplesPerMs);
  const samples = synthesized.subarray(from, voicedTo + trailingMs * samplesPerMs);
  return { samples, words: spread(text, (voicedFrom - from) / samplesPerMs, (voicedTo - from) / samplesPerMs) };
}

function spread(text: string, startMs: number, endMs: number): WordTiming[] {
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const msPerLetter = (endMs - startMs) / words.reduce((sum, word) => sum + word.length, 0);
  let at = startMs;
  return words.map((word) => {
    const start = at;
    at += word.length * msPerLetter;
    return { text: word, startMs: start, endMs: at };
  });
}
