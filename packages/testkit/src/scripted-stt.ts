import { EventQueue, type SpeechToText, type SttEvent, type SttStream, type SttStreamOptions } from '@va/core';

export interface ScriptedSttOptions {
  readonly id?: string;
  /** What the caller is taken to say, turn by turn: each `finalize` settles the next. */
  readonly turns?: readonly string[];
  /** From `finalize` to the final words. 0 by default: they come in the same turn of the event loop. */
  readonly delayMs?: number;
  /** Whether the test tells when turns end (`turn-…` events). False by default. */
  readonly judgesTurns?: boolean;
}

/** One call's stream, open to the test that drives it. */
export interface ScriptedSttStream extends SttStream {
  readonly options: SttStreamOptions;
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
  readonly #events = new EventQueue<SttEvent>();
  readonly #turns: readonly string[];
  readonly #delayMs: number;
  #turn = 0;
  #received = 0;
  #closed = false;

  constructor(options: SttStreamOptions, { turns = [], delayMs = 0, judgesTurns = false }: ScriptedSttOptions) {
    this.options = options;
    this.judgesTurns = judgesTurns;
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
    const text = this.#turns[this.#turn];
    this.#turn += 1;
    const settle = (): void => {
      if (text !== undefined) this.emit({ type: 'final', text });
      this.emit({ type: 'finalized' });
    };
    if (this.#delayMs === 0) settle();
    else this.options.clock.setTimer(this.#delayMs, settle);
  }

  emit(event: SttEvent): void {
    this.#events.push(event);
  }

  fail(error: Error): void {
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
