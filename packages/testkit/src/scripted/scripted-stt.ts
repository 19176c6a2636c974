import { EventQueue, type SpeechToText, type SttEvent, type SttStream, type SttStreamOptions } from '@va/core/adapter';

/** Options of the scripted recognizer. */
export interface ScriptedSttOptions {
  readonly id?: string;
  /**
   * Transcripts of the caller, turn by turn: each `finalize` yields the next. A function gets the time of the
   * `finalize` in milliseconds.
   */
  readonly turns?: readonly string[] | ((finalizedAtMs: number) => string | undefined);
  /** Returns the language of final words; none by default. */
  readonly languageOf?: (text: string) => string | undefined;
  /** Delay from `finalize` to the final words. Default: 0, in the same turn of the event loop. */
  readonly delayMs?: number;
  /** True if the test emits turn ends (`turn-…` events). Default: false. */
  readonly judgesTurns?: boolean;
}

/** The stream of one call, controlled by the test. */
export interface ScriptedSttStream extends SttStream {
  readonly options: SttStreamOptions;
  /** Current key terms. */
  readonly hints: readonly string[];
  /** Bytes received. */
  readonly received: number;
  readonly closed: boolean;
  emit(event: SttEvent): void;
  fail(error: Error): void;
}

/** A recognizer with scripted transcripts. */
export interface ScriptedStt extends SpeechToText {
  readonly streams: readonly ScriptedSttStream[];
}

/**
 * Returns a recognizer without speech recognition: the test emits its events.
 *
 * @example const stt = scriptedStt(); createVoiceAgents({ providers: [stt, scriptedLlm([saying('Hello.')]),
 * scriptedTts()], … })
 */
export function scriptedStt(options: ScriptedSttOptions = {}): ScriptedStt {
  const streams: ScriptedSttStream[] = [];
  return {
    kind: 'stt',
    id: options.id ?? 'scripted',
    formats: [
      { encoding: 'pcmu', sampleRateHz: 8_000 },
      { encoding: 'pcma', sampleRateHz: 8_000 },
    ],
    streams,
    open(streamOptions) {
      const stream = new Stream(streamOptions, options);
      streams.push(stream);
      return stream;
    },
  };
}

class Stream implements ScriptedSttStream {
  readonly options: SttStreamOptions;
  readonly judgesTurns: boolean;
  hints: readonly string[];
  readonly #events = new EventQueue<SttEvent>();
  readonly #turns: NonNullable<ScriptedSttOptions['turns']>;
  readonly #delayMs: number;
  readonly #languageOf: NonNullable<ScriptedSttOptions['languageOf']>;
  #turn = 0;
  #received = 0;
  #closed = false;
  #failed = false;

  constructor(options: SttStreamOptions, scripted: ScriptedSttOptions) {
    const { turns = [], delayMs = 0, judgesTurns = false, languageOf = () => undefined } = scripted;
    this.options = options;
    this.judgesTurns = judgesTurns;
    this.#languageOf = languageOf;
    this.hints = options.hints;
    this.#turns = turns;
    this.#delayMs = delayMs;
    options.signal.addEventListener('abort', () => this.close(), { once: true });
  }

  get received(): number {
    return this.#received;
  }

  get closed(): boolean {
    return this.#closed;
  }

  send(audio: Uint8Array): void {
    this.#received += audio.length;
  }

  speechStarted(): void {}

  finalize(): void {
    const turn = this.#turn;
    const finalizedAtMs = this.options.clock.nowMs();
    this.#turn += 1;
    const settle = (): void => {
      if (this.#closed || this.#failed) return;
      const text = typeof this.#turns === 'function' ? this.#turns(finalizedAtMs) : this.#turns[turn];
      const language = text === undefined ? undefined : this.#languageOf(text);
      if (text !== undefined) this.emit({ type: 'final', text, ...(language !== undefined && { language }) });
      this.emit({ type: 'finalized' });
    };
    if (this.#delayMs === 0) settle();
    else this.options.clock.setTimer(this.#delayMs, settle);
  }

  setHints(hints: readonly string[]): void {
    this.hints = hints;
  }

  emit(event: SttEvent): void {
    this.#events.push(event);
  }

  fail(error: Error): void {
    this.#failed = true;
    this.#events.fail(error);
  }

  close(): void {
    this.#closed = true;
    this.#events.discard();
  }

  [Symbol.asyncIterator](): AsyncIterator<SttEvent> {
    return this.#events[Symbol.asyncIterator]();
  }
}
