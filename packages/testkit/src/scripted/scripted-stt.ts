import { EventQueue, type SpeechToText, type SttEvent, type SttStream, type SttStreamOptions } from '@va/core';

export interface ScriptedSttOptions {
  readonly id?: string;
  /**
   * What the caller is taken to say, turn by turn: each `finalize` settles the next. A function is given the time of
   * the `finalize` in milliseconds, when its words are settled.
   */
  readonly turns?: readonly string[] | ((finalizedAtMs: number) => string | undefined);
  /** From `finalize` to the final words. 0 by default: they come in the same turn of the event loop. */
  readonly delayMs?: number;
  /** Whether the test tells when turns end (`turn-…` events). False by default. */
  readonly judgesTurns?: boolean;
}

/** One call's stream, open to the test that drives it. */
export interface ScriptedSttStream extends SttStream {
  readonly options: SttStreamOptions;
  /** The key terms as they are now. */
  readonly hints: readonly string[];
  /** Bytes received. */
  readonly received: number;
  readonly closed: boolean;
  emit(event: SttEvent): void;
  fail(error: Error): void;
}

/** A recognizer that hears what the script says. */
export interface ScriptedStt extends SpeechToText {
  readonly streams: readonly ScriptedSttStream[];
}

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
  #turn = 0;
  #received = 0;
  #closed = false;
  #failed = false;

  constructor(options: SttStreamOptions, { turns = [], delayMs = 0, judgesTurns = false }: ScriptedSttOptions) {
    this.options = options;
    this.judgesTurns = judgesTurns;
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
      if (text !== undefined) this.emit({ type: 'final', text });
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
