import { everyPrompt, seeded, shuffled } from '@va/test-servers/audio';

const samplesPerMs = 8;
/** Shorter prompts are words, not sentences. */
const shortestMs = 3_000;
const longestMs = 10_000;
/** Pauses up to this length within a sentence count as speech. */
const joinedGapMs = 200;
const blockSamples = 80;

/** Sentences of one person with pauses between them, and their positions. */
export interface Corpus {
  readonly pcm: Int16Array;
  /** Root mean square of the speech without the pauses, on a scale of 32,768. */
  readonly speechLevel: number;
  /** Turns: stretches of speech without a pause that ends a turn. */
  readonly turns: readonly Stretch[];
}

export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
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
  return { pcm, speechLevel: levelWithin(pcm, voiced), turns: joined(voiced, turnGapMs) };
}

/** Finds voiced stretches in the clean recording: blocks above 2 % of the level of its loudest parts. */
function voicedStretches(pcm: Int16Array): Stretch[] {
  const levels = Array.from({ length: Math.floor(pcm.length / blockSamples) }, (_, i) =>
    levelOf(pcm.subarray(i * blockSamples, (i + 1) * blockSamples)),
  );
  const loudest = [...levels].sort((a, b) => b - a)[Math.floor(levels.length * 0.05)] ?? 0;
  const blockMs = blockSamples / samplesPerMs;
  const blocks = levels.flatMap((level, i) =>
    level > loudest * 0.02 && level > 30 ? [{ fromMs: i * blockMs, toMs: (i + 1) * blockMs }] : [],
  );
  return joined(blocks, joinedGapMs).filter(({ fromMs, toMs }) => toMs - fromMs >= 100);
}

function joined(stretches: readonly Stretch[], gapMs: number): Stretch[] {
  const result: Stretch[] = [];
  for (const { fromMs, toMs } of stretches) {
    const last = result.at(-1);
    if (last !== undefined && fromMs - last.toMs < gapMs) result[result.length - 1] = { fromMs: last.fromMs, toMs };
    else result.push({ fromMs, toMs });
  }
  return result;
}

function levelWithin(pcm: Int16Array, stretches: readonly Stretch[]): number {
  const parts = stretches.map(({ fromMs, toMs }) => pcm.subarray(fromMs * samplesPerMs, toMs * samplesPerMs));
  const samples = parts.reduce((sum, part) => sum + part.length, 0);
  const power = parts.reduce((sum, part) => sum + levelOf(part) ** 2 * part.length, 0);
  return Math.sqrt(power / samples);
}

/** Returns the root mean square. */
export function levelOf(pcm: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < pcm.length; i++) sum += (pcm[i] ?? 0) ** 2;
  return Math.sqrt(sum / Math.max(1, pcm.length));
}
