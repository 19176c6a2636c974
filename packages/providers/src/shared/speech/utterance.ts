import { type Clock, EventQueue, ProviderError, type Timer, type TtsEvent, type TtsUtterance } from '@va/core/adapter';
import type { ContextPiece } from './protocol.ts';

/** Time limit for the first audio after a text, and for each further chunk once the text has ended. */
const stallTimeoutMs = 10_000;

/** Properties and callbacks of the session that its utterances use. */
export interface ContextHost {
  readonly id: string;
  readonly clock: Clock;
  readonly bytesPerMs: number;
  /** Starts an utterance that has its first text, as soon as a connection has a free context. */
  begin(utterance: SocketUtterance): void;
  sendText(utterance: SocketUtterance, text: string): void;
  sendEnd(utterance: SocketUtterance): void;
  /**
   * Ends the context of an utterance that was completed, cancelled or failed. `contextOpen` is false if the service has
   * finished the context.
   */
  finished(utterance: SocketUtterance, contextOpen: boolean): void;
  /** Called when the events of the utterance are no longer read. */
  read(utterance: SocketUtterance): void;
}

/** Utterance on a WebSocket. Keeps its text, so that it can be spoken on another connection if no audio has arrived. */
export class SocketUtterance implements TtsUtterance {
  readonly contextId: string;
  readonly #host: ContextHost;
  readonly #events = new EventQueue<TtsEvent>();
  readonly #texts: string[] = [];
  #receivedBytes = 0;
  #ended = false;
  #stall: Timer | undefined;

  constructor(contextId: string, host: ContextHost) {
    this.contextId = contextId;
    this.#host = host;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TtsEvent, void, undefined> {
    try {
      yield* this.#events;
    } finally {
      this.#host.read(this);
    }
  }

  push(text: string): void {
    if (this.#ended || text.trim() === '') return;
    // The services treat a trailing space as the end of a word.
    const spaced = `${text.trimEnd()} `;
    this.#texts.push(spaced);
    if (this.#texts.length === 1) this.#host.begin(this);
    else this.#host.sendText(this, spaced);
    if (this.#receivedBytes === 0) this.#armStall();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#texts.length === 0) {
      this.#events.end();
      return;
    }
    this.#host.sendEnd(this);
    this.#armStall();
  }

  cancel(): void {
    this.#ended = true;
    this.#events.discard();
    this.#finish(true);
  }

  /** All text so far, for a new connection. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  get textEnded(): boolean {
    return this.#ended;
  }

  get receivedMs(): number {
    return this.#receivedBytes / this.#host.bytesPerMs;
  }

  get hasAudio(): boolean {
    return this.#receivedBytes > 0;
  }

  receive({ audio, words = [], isFinal = false }: ContextPiece): void {
    if (words.length > 0) this.#events.push({ type: 'words', words });
    if (audio !== undefined && audio.length > 0) {
      this.#receivedBytes += audio.length;
      this.#events.push({ type: 'audio', audio });
      if (this.#ended) this.#armStall();
      else this.#stall?.cancel();
    }
    if (isFinal) this.#complete();
  }

  fail(error: ProviderError): void {
    this.#ended = true;
    this.#events.fail(error);
    this.#finish(true);
  }

  #complete(): void {
    if (this.#receivedBytes === 0) {
      this.fail(new ProviderError(this.#host.id, 'protocol', 'the text produced no audio'));
      return;
    }
    this.#events.end();
    this.#finish(false);
  }

  #finish(contextOpen: boolean): void {
    this.#ended = true;
    this.#stall?.cancel();
    this.#host.finished(this, contextOpen);
  }

  #armStall(): void {
    this.#stall?.cancel();
    this.#stall = this.#host.clock.setTimer(stallTimeoutMs, () =>
      this.fail(new ProviderError(this.#host.id, 'timeout', `received no audio for ${stallTimeoutMs} ms`)),
    );
  }
}
