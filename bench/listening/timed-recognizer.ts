import { type Clock, EventQueue, type SpeechToText, type SttEvent, type SttStream } from '@va/core/adapter';
import { seeded } from '@va/test-servers/audio';
import { recognizer, seed } from './settings.ts';
import type { TimedWord } from './turns.ts';

/** The words that a caller is saying now. */
export interface SpokenNow {
  readonly words: readonly TimedWord[];
  /** Time of the clock at the start of the turn, in milliseconds. */
  readonly fromMs: number;
  /** Name of the turn, which seeds the random timing: the same turn is recognized alike under each policy. */
  readonly name: string;
}

/**
 * `real`: final words come after the delays of a streaming recognizer. `prompt`: they come at once, so that only the
 * time of the service is measured.
 */
export type Delays = 'real' | 'prompt';

/**
 * A recognizer that returns given words, with the timing and the punctuation of streaming recognizers: partials without
 * punctuation, which lag behind the speech, and finals with guessed punctuation.
 */
export class TimedRecognizer implements SpeechToText {
  readonly kind = 'stt';
  readonly id = 'timed';
  readonly formats = [{ encoding: 'pcmu', sampleRateHz: 8_000 }] as const;
  readonly #delays: Delays;
  #random = seeded(seed);
  #now: SpokenNow = { words: [], fromMs: 0, name: '' };
  /** Number of words that are final. */
  #settled = 0;
  #queue: EventQueue<SttEvent> | null = null;
  #clock: Clock | null = null;
  #told = '';

  constructor(delays: Delays) {
    this.#delays = delays;
  }

  /** Starts the words of another turn. */
  say(now: SpokenNow): void {
    this.#now = now;
    this.#random = seeded(seed + sumOf(now.name));
    this.#settled = 0;
    this.#told = '';
  }

  open({ clock, signal }: Parameters<SpeechToText['open']>[0]): SttStream {
    const queue = new EventQueue<SttEvent>();
    this.#queue = queue;
    this.#clock = clock;
    const close = (): void => queue.discard();
    signal.addEventListener('abort', close, { once: true });
    this.#tellLater(signal);
    return {
      send() {},
      speechStarted() {},
      finalize: () => this.#finalize(clock.nowMs()),
      close,
      [Symbol.asyncIterator]: () => queue[Symbol.asyncIterator](),
    };
  }

  #tellLater(signal: AbortSignal): void {
    this.#clock?.setTimer(this.#between(recognizer.partialEveryMs), () => {
      if (signal.aborted) return;
      this.#tellPartial();
      this.#tellLater(signal);
    });
  }

  #tellPartial(): void {
    const heardMs = (this.#clock?.nowMs() ?? 0) - this.#now.fromMs - this.#between(recognizer.lagMs);
    const text = this.#wordsUntil(heardMs).map(unmarked).join(' ');
    if (text === '' || text.length <= this.#told.length) return;
    this.#told = text;
    this.#queue?.push({ type: 'partial', text });
  }

  #finalize(atMs: number): void {
    const words = this.#wordsUntil(atMs - this.#now.fromMs);
    const isLast = this.#settled + words.length === this.#now.words.length;
    this.#settled += words.length;
    this.#told = '';
    const text = this.#marked(words, isLast);
    const tell = (): void => {
      if (text !== '') this.#queue?.push({ type: 'final', text });
      this.#queue?.push({ type: 'finalized' });
    };
    if (this.#delays === 'prompt') tell();
    else this.#clock?.setTimer(this.#between(recognizer.finalMs), tell);
  }

  /** Returns the words that are not final yet and ended by `ms` after the start of the turn. */
  #wordsUntil(ms: number): string[] {
    const { words } = this.#now;
    return words
      .slice(this.#settled)
      .filter(({ endMs }) => endMs <= ms)
      .map(({ text }) => text);
  }

  #marked(words: readonly string[], isLast: boolean): string {
    const text = words.join(' ');
    if (text === '' || isLast) return text;
    const endsSentence = /[.!?…]$/.test(text);
    const isStopped = seeded(seed + sumOf(this.#now.name) + this.#settled)() < recognizer.falseStops;
    return endsSentence || !isStopped ? text : `${text.replace(/[,;:]$/, '')}.`;
  }

  #between([from, to]: readonly [number, number]): number {
    return from + (to - from) * this.#random();
  }
}

/** Returns a hash of a text. */
function sumOf(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) >>> 0;
  return sum;
}

function unmarked(word: string): string {
  return word.replace(/[.,;:!?…]+$/, '').toLowerCase();
}
