import { gaussian, type Stretch, seeded, shuffled } from '@va/test-servers/audio';
import type { Recording } from './recordings.ts';
import { pause, seed, turnsOf } from './settings.ts';

type TurnKind = keyof typeof turnsOf;

/** A word, and when its sound ends, in milliseconds from the start of the turn. */
export interface TimedWord {
  readonly text: string;
  readonly endMs: number;
}

/** One turn of a caller: all speech before the agent may answer. */
export interface Turn {
  readonly kind: TurnKind;
  readonly name: string;
  readonly language: string;
  /** The agent's utterance before the turn. */
  readonly agentSays: string;
  readonly pcm: Int16Array;
  readonly words: readonly TimedWord[];
  /** Start of the first voiced stretch. */
  readonly startMs: number;
  /** End of the last voiced stretch. */
  readonly endMs: number;
}

const samplesPerMs = 8;
/** Marks at the end of a clause within a sentence, and of a sentence within a turn. */
const clauseMark = /[,;:…]$/;
const sentenceMark = /[.?!]$/;
/** Numbers of digits in the groups in which people say telephone numbers. */
const groups = [3, 3, 4];

/** Splits recordings into a part for tuning and one for judging: no recording is in both. */
export function partOf<T>(items: readonly T[], part: 'tuning' | 'judging'): T[] {
  return shuffled(items, seeded(seed)).filter((_, i) => (i % 2 === 0) === (part === 'tuning'));
}

/** Returns the turns of a part, in the order in which they are played. The number of the draw decides their pauses. */
export function turnsFrom(recordings: readonly Recording[], draw: number): Turn[] {
  const random = seeded(seed + 1 + 100 * draw);
  const sentences = recordings.filter(
    ({ pcm, text }) => pcm.length > 1_200 * samplesPerMs && /(?<!\.)[.?!]$/.test(text),
  );
  const dividedAt = (mark: RegExp): Recording[] =>
    sentences.filter(({ pieces }) => pieces?.slice(0, -1).some((piece) => mark.test(piece)));
  const words = recordings.filter(({ pcm, voiced, language }) => {
    return language === 'en' && pcm.length < 900 * samplesPerMs && voiced.length === 1;
  });
  const digits = recordings.filter(({ name }) => /^en\/digits\/\d$/.test(name));
  const turns = [
    ...take(sentences, turnsOf.whole).map((each) => wholeTurn(each)),
    ...take(dividedAt(clauseMark), turnsOf.paused).map((each) => pausedTurn('paused', each, clauseMark, random)),
    ...take(dividedAt(sentenceMark), turnsOf.sentences).map((each) =>
      pausedTurn('sentences', each, sentenceMark, random),
    ),
    ...take(words, turnsOf.answer).map((each, i) => answerTurn(each, i)),
    ...(digits.length < 5 ? [] : Array.from({ length: turnsOf.digits }, () => digitsTurn(digits, random))),
  ];
  return shuffled(turns, seeded(seed + 2));
}

function take<T>(items: readonly T[], count: number): T[] {
  return items.length === 0 ? [] : Array.from({ length: count }, (_, i) => items[i % items.length] as T);
}

function wholeTurn(recording: Recording): Turn {
  const { name, language, text, pcm, voiced } = recording;
  const words = recording.pieces === null ? spread(text, voiced) : alignedWords(recording.pieces, voiced);
  return { kind: 'whole', name, language, agentSays: 'All right.', pcm, words, ...spanOf(voiced) };
}

/** Returns a turn whose recording has one of its natural pauses lengthened. */
function pausedTurn(
  kind: 'paused' | 'sentences',
  { name, language, pcm, voiced, pieces }: Recording,
  mark: RegExp,
  random: () => number,
): Turn {
  const places = (pieces ?? []).slice(0, -1).flatMap((piece, i) => (mark.test(piece) ? [i] : []));
  const at = places[Math.floor(random() * places.length)] ?? 0;
  const fromMs = voiced[at]?.toMs ?? 0;
  const gapMs = (voiced[at + 1]?.fromMs ?? 0) - fromMs;
  const addedMs = Math.max(0, pauseMs(random) - gapMs);
  const middle = Math.round((fromMs + gapMs / 2) * samplesPerMs);
  const added = Math.round(addedMs * samplesPerMs);
  const longer = new Int16Array(pcm.length + added);
  longer.set(pcm.subarray(0, middle));
  longer.set(pcm.subarray(middle), middle + added);
  const moved = voiced.map((part, i) =>
    i <= at ? part : { fromMs: part.fromMs + addedMs, toMs: part.toMs + addedMs },
  );
  const words = alignedWords(pieces ?? [], moved);
  return { kind, name, language, agentSays: 'Yes?', pcm: longer, words, ...spanOf(moved) };
}

const answers = ['Yes.', 'No.', 'Yes, please.', 'No, thanks.', 'Sure.', 'Yeah.', 'Okay.', 'Not really.'];

/** Returns a turn with the sound of a short word, recognized as an answer. */
function answerTurn({ name, pcm, voiced }: Recording, index: number): Turn {
  const words = spread(answers[index % answers.length] ?? '', voiced);
  const agentSays = 'Is that right?';
  return { kind: 'answer', name, language: 'en', agentSays, pcm, words, ...spanOf(voiced) };
}

/** Returns a turn with a telephone number, read out in groups. */
function digitsTurn(digits: readonly Recording[], random: () => number): Turn {
  const parts: Int16Array[] = [];
  const words: TimedWord[] = [];
  let atMs = 0;
  let endMs = 0;
  for (const [group, count] of groups.entries()) {
    for (let i = 0; i < count; i++) {
      const { pcm, voiced, text } = digits[Math.floor(random() * digits.length)] as Recording;
      endMs = atMs + (voiced.at(-1)?.toMs ?? 0);
      words.push({ text: text.replace(/[.]/g, '').toLowerCase(), endMs });
      parts.push(pcm);
      atMs += pcm.length / samplesPerMs;
    }
    if (group === groups.length - 1) break;
    const quiet = new Int16Array(Math.round(pauseMs(random) * samplesPerMs));
    parts.push(quiet);
    atMs += quiet.length / samplesPerMs;
  }
  const agentSays = 'What is your phone number?';
  return {
    kind: 'digits',
    name: 'digits',
    language: 'en',
    agentSays,
    pcm: joinedSamples(parts),
    words,
    startMs: 0,
    endMs,
  };
}

function spanOf(voiced: readonly Stretch[]): { startMs: number; endMs: number } {
  return { startMs: voiced[0]?.fromMs ?? 0, endMs: voiced.at(-1)?.toMs ?? 0 };
}

function pauseMs(random: () => number): number {
  const ms = pause.medianMs * Math.exp(pause.sigma * gaussian(random)());
  return Math.min(pause.longestMs, Math.max(pause.shortestMs, ms));
}

/** Spreads the words of each piece of a text over its voiced stretch. */
function alignedWords(pieces: readonly string[], voiced: readonly Stretch[]): TimedWord[] {
  return pieces.flatMap((piece, i) => spread(piece, voiced.slice(i, i + 1)));
}

/** Spreads the words of a text over voiced stretches, in proportion to their letters. */
function spread(text: string, voiced: readonly Stretch[]): TimedWord[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  const totalMs = voiced.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  let said = 0;
  return words.map((word) => {
    said += word.length;
    return { text: word, endMs: placeOf((totalMs * said) / letters, voiced) };
  });
}

/** Returns the time at which `voicedMs` of the voiced stretches have passed. */
function placeOf(voicedMs: number, voiced: readonly Stretch[]): number {
  let left = voicedMs;
  for (const { fromMs, toMs } of voiced) {
    if (left <= toMs - fromMs + 0.5) return fromMs + left;
    left -= toMs - fromMs;
  }
  return voiced.at(-1)?.toMs ?? 0;
}

function joinedSamples(parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
