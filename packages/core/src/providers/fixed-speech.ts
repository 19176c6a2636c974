import { createHash } from 'node:crypto';
import type { LegEncoding } from '@va/media';
import { EventQueue } from '../async/event-queue.ts';
import type { TtsConfig } from '../domain/agents/agent.ts';
import { toError } from '../errors.ts';
import type { TtsEvent, TtsSession, TtsUtterance, WordTiming } from '../ports/providers/text-to-speech.ts';

/** A session with a cache of recurring sentences. */
export interface Synthesizer extends TtsSession {
  /**
   * With `fixed`, the text recurs in other calls (a first message, a silence prompt): it is spoken after `end()`, from
   * the cache if possible.
   */
  speak(options?: { readonly fixed?: boolean }): TtsUtterance;
  /**
   * Synthesizes the pieces of a fixed text ahead, for the next utterance of exactly these pieces. Resolves when their
   * audio has begun, or cannot be produced.
   */
  prepare?(pieces: readonly string[]): Promise<void>;
}

/** Complete audio of a sentence in the leg's encoding, with its word timestamps. */
interface StoredSpeech {
  readonly audio: Uint8Array;
  readonly words: readonly WordTiming[];
}

const defaultMaxBytes = 32 * 1_024 * 1_024;
/** Estimated memory of a word and an entry in addition to the audio. */
const bytesPerWord = 100;
const bytesPerEntry = 300;

/** Cached sentences of a process; the least recently used ones are dropped. */
export class FixedSpeechCache {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, StoredSpeech>();
  #bytes = 0;

  constructor(options: { readonly maxBytes?: number } = {}) {
    this.#maxBytes = options.maxBytes ?? defaultMaxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  find(key: string): StoredSpeech | null {
    const speech = this.#entries.get(key);
    if (speech === undefined) return null;
    this.#entries.delete(key);
    this.#entries.set(key, speech);
    return speech;
  }

  keep(key: string, speech: StoredSpeech): void {
    const bytes = bytesOf(speech);
    if (bytes > this.#maxBytes) return;
    this.#drop(key);
    this.#entries.set(key, speech);
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const speech = this.#entries.get(key);
    if (speech === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= bytesOf(speech);
  }
}

function bytesOf({ audio, words }: StoredSpeech): number {
  return bytesPerEntry + audio.length + words.length * bytesPerWord;
}

/** Returns the cache key of a voice. Audio made with an organization's own key is not shared with others. */
export function voiceName(
  providerId: string,
  config: TtsConfig,
  { encoding, language }: { readonly encoding: LegEncoding; readonly language?: string | undefined },
  owner: string | null,
): string {
  return JSON.stringify([providerId, config, encoding, language ?? null, owner]);
}

export interface SpeechSource {
  /** Its audio is in the leg's encoding. */
  readonly session: TtsSession;
  /**
   * Returns the cache key of the voice of the next utterance. An utterance at whose end the key has changed is not
   * cached, because another link of the chain may have spoken it.
   */
  readonly voice: () => string;
}

export function withFixedSpeech(source: SpeechSource, cache: FixedSpeechCache): Synthesizer {
  return new FixedSpeechSession(source, cache);
}

class FixedSpeechSession implements Synthesizer {
  readonly #source: SpeechSource;
  readonly #cache: FixedSpeechCache;
  /** Utterances synthesized ahead that are not used yet, by cache key. */
  readonly #ahead = new Map<string, FixedUtterance>();

  constructor(source: SpeechSource, cache: FixedSpeechCache) {
    this.#source = source;
    this.#cache = cache;
  }

  speak(options?: { readonly fixed?: boolean }): TtsUtterance {
    return options?.fixed === true ? this.#fixed() : this.#source.session.speak();
  }

  prepare(pieces: readonly string[]): Promise<void> {
    if (pieces.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const utterance = this.#fixed(resolve);
      for (const piece of pieces) utterance.push(piece);
      utterance.end();
      if (utterance.key !== null) this.#ahead.set(utterance.key, utterance);
    });
  }

  close(): void {
    for (const utterance of this.#ahead.values()) utterance.cancel();
    this.#ahead.clear();
    this.#source.session.close();
  }

  #fixed(onBegun?: () => void): FixedUtterance {
    return new FixedUtterance(this.#source, this.#cache, (key) => this.#take(key), onBegun);
  }

  #take(key: string): FixedUtterance | null {
    const utterance = this.#ahead.get(key) ?? null;
    this.#ahead.delete(key);
    // The text of a failed utterance is synthesized again.
    return utterance?.hasFailed === false ? utterance : null;
  }
}

class FixedUtterance implements TtsUtterance {
  readonly #source: SpeechSource;
  readonly #cache: FixedSpeechCache;
  readonly #takeAhead: (key: string) => FixedUtterance | null;
  readonly #onBegun: () => void;
  readonly #texts: string[] = [];
  readonly #events = new EventQueue<TtsEvent>();
  #utterance: TtsUtterance | null = null;
  /** Cache key of the text in its voice, once the text is complete. */
  key: string | null = null;
  hasFailed = false;

  /** @param onBegun called when there is audio, or will be none */
  constructor(
    source: SpeechSource,
    cache: FixedSpeechCache,
    takeAhead: (key: string) => FixedUtterance | null,
    onBegun: () => void = () => {},
  ) {
    this.#source = source;
    this.#cache = cache;
    this.#takeAhead = takeAhead;
    this.#onBegun = onBegun;
  }

  push(text: string): void {
    this.#texts.push(text);
  }

  end(): void {
    if (this.#events.ended || this.#utterance !== null) return;
    const voice = this.#source.voice();
    const key = createHash('sha256')
      .update(JSON.stringify([voice, this.#texts]))
      .digest('base64');
    this.key = key;
    const ahead = this.#takeAhead(key);
    const speech = this.#cache.find(key);
    if (speech !== null) this.#repeat(speech);
    else if (ahead !== null) this.#pass(ahead);
    else this.#synthesize(key, voice);
  }

  cancel(): void {
    this.#events.discard();
    this.#utterance?.cancel();
    this.#onBegun();
  }

  [Symbol.asyncIterator](): AsyncIterator<TtsEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  #repeat({ audio, words }: StoredSpeech): void {
    if (words.length > 0) this.#events.push({ type: 'words', words });
    this.#events.push({ type: 'audio', audio });
    this.#events.end();
    this.#onBegun();
  }

  /** Passes on the audio of an utterance synthesized ahead: what there is, and what follows. */
  #pass(ahead: FixedUtterance): void {
    this.#utterance = ahead;
    const pass = async (): Promise<void> => {
      for await (const event of ahead) this.#events.push(event);
      this.#events.end();
    };
    pass().catch((thrown: unknown) => this.#fail(thrown));
  }

  #fail(thrown: unknown): void {
    this.hasFailed = true;
    this.#events.fail(toError(thrown));
    this.#onBegun();
  }

  #synthesize(key: string, voice: string): void {
    try {
      const utterance = this.#source.session.speak();
      this.#utterance = utterance;
      for (const text of this.#texts) utterance.push(text);
      utterance.end();
      void this.#read(utterance, key, voice);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  async #read(utterance: TtsUtterance, key: string, voice: string): Promise<void> {
    const audio: Uint8Array[] = [];
    const words: WordTiming[] = [];
    try {
      for await (const event of utterance) {
        if (this.#events.ended) return;
        // A copy, because a provider may reuse its buffer.
        if (event.type === 'audio') audio.push(event.audio.slice());
        else words.push(...event.words);
        this.#events.push(event);
        if (event.type === 'audio') this.#onBegun();
      }
    } catch (thrown) {
      this.#fail(thrown);
      return;
    }
    if (this.#events.ended) return;
    this.#events.end();
    this.#onBegun();
    const whole = Buffer.concat(audio);
    if (whole.length > 0 && this.#source.voice() === voice) this.#cache.keep(key, { audio: whole, words });
  }
}
