import {
  everyPrompt,
  joined,
  levelOfParts,
  type Stretch,
  seeded,
  shuffled,
  voicedStretches,
} from '@va/test-servers/audio';

const samplesPerMs = 8;
/** Shorter prompts are words, not sentences. */
const shortestMs = 3_000;
const longestMs = 10_000;

/** Sentences of one person with pauses between them, and their positions. */
export interface Corpus {
  readonly pcm: Int16Array;
  /** Root mean square of the speech without the pauses, on a scale of 32,768. */
  readonly speechLevel: number;
  /** Turns: stretches of speech without a pause that ends a turn. */
  readonly turns: readonly Stretch[];
}

export interface Sentence {
  readonly name: string;
  readonly pcm: Int16Array;
  /** Voiced stretches, pauses of up to 200 ms included. */
  readonly voiced: readonly Stretch[];
}

/** Returns sentences in a reproducible order. */
export async function sentences(count: number): Promise<Sentence[]> {
  const prompts = await everyPrompt();
  const fitting = prompts
    .filter(([, { length }]) => length >= shortestMs * samplesPerMs && length <= longestMs * samplesPerMs)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return shuffled(fitting, seeded(7))
    .slice(0, count)
    .map(([name, pcm]) => ({ name, pcm, voiced: voicedStretches(pcm) }));
}

/** Returns single words with 0.3 to 0.8 s of voice, as long as an "uh-huh" or a "no". */
export async function words(): Promise<Sentence[]> {
  const prompts = await everyPrompt();
  return prompts
    .filter(([, { length }]) => length < 900 * samplesPerMs)
    .map(([name, pcm]) => ({ name, pcm, voiced: voicedStretches(pcm) }))
    .filter(({ voiced }) => voiced.length === 1)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @param turnGapMs minimum pause that ends a turn. */
export function inTurn(spoken: readonly Sentence[], turnGapMs: number): Corpus {
  const random = seeded(11);
  const parts = spoken.map((sentence) => ({
    sentence,
    pause: new Int16Array(samplesPerMs * Math.round(800 + 1_700 * random())),
  }));
  const length = parts.reduce((sum, { sentence, pause }) => sum + pause.length + sentence.pcm.length, 0);
  const pcm = new Int16Array(length);
  const voiced: Stretch[] = [];
  let at = 0;
  for (const { sentence, pause } of parts) {
    at += pause.length;
    pcm.set(sentence.pcm, at);
    const startMs = at / samplesPerMs;
    voiced.push(...sentence.voiced.map(({ fromMs, toMs }) => ({ fromMs: startMs + fromMs, toMs: startMs + toMs })));
    at += sentence.pcm.length;
  }
  return {
    pcm,
    speechLevel: levelOfParts(
      voiced.map(({ fromMs, toMs }) => pcm.subarray(fromMs * samplesPerMs, toMs * samplesPerMs)),
    ),
    turns: joined(voiced, turnGapMs),
  };
}
