import { type Clock, EventQueue, ProviderError, type Timer, type TtsEvent, type TtsUtterance } from '@va/core/adapter';
import type { Fields } from '../shared/json.ts';
import { WordAssembly } from './words.ts';

/** Maximum wait of text for its audio, and between audio chunks. */
const stallTimeoutMs = 10_000;

/** Functions of the session that an utterance uses. */
export interface ContextHost {
  readonly id: string;
  readonly clock: Clock;
  readonly bytesPerMs: number;
  /** The utterance has its first text and needs a context. */
  begin(utterance: ElevenLabsUtterance): void;
  sendText(utterance: ElevenLabsUtterance, text: string): void;
  sendEnd(utterance: ElevenLabsUtterance): void;
  /** The utterance has completed or failed; `contextOpen` unless the service has closed its context. */
  finished(utterance: ElevenLabsUtterance, contextOpen: boolean): void;
  /** All of its events have been read. */
  read(utterance: ElevenLabsUtterance): void;
}

/**
 * One context of the provider. Its text is kept until audio arrives, so that it can be spoken on another connection.
 */
export class ElevenLabsUtterance implements TtsUtterance {
  readonly contextId: string;
  readonly #host: ContextHost;
  readonly #events = new EventQueue<TtsEvent>();
  readonly #words = new WordAssembly();
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
    // The service treats a trailing space as the end of a word.
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

  /** Returns all text so far, for a new connection. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  get textEnded(): boolean {
    return this.#ended;
  }

  get hasAudio(): boolean {
    return this.#receivedBytes > 0;
  }

  receive(message: Fields): void {
    if (typeof message.audio === 'string' && message.audio !== '') this.#receiveAudio(message, message.audio);
    if (message.isFinal === true) this.#complete();
  }

  fail(error: ProviderError): void {
    this.#ended = true;
    this.#events.fail(error);
    this.#finish(true);
  }

  #receiveAudio(message: Fields, base64: string): void {
    const words = this.#words.add(message, this.#receivedBytes / this.#host.bytesPerMs, this.#texts.join(''));
    if (words.length > 0) this.#events.push({ type: 'words', words });
    const audio = Buffer.from(base64, 'base64');
    this.#receivedBytes += audio.length;
    this.#events.push({ type: 'audio', audio });
    if (this.#ended) this.#armStall();
    else this.#stall?.cancel();
  }

  #complete(): void {
    if (this.#receivedBytes === 0) {
      this.fail(new ProviderError(this.#host.id, 'protocol', 'the text produced no audio'));
      return;
    }
    const words = this.#words.end();
    if (words.length > 0) this.#events.push({ type: 'words', words });
    this.#events.end();
    this.#finish(false);
  }

  #finish(contextOpen: boolean): void {
    this.#stall?.cancel();
    this.#host.finished(this, contextOpen);
  }

  #armStall(): void {
    this.#stall?.cancel();
    this.#stall = this.#host.clock.setTimer(stallTimeoutMs, () =>
      this.fail(new ProviderError(this.#host.id, 'timeout', `no audio arrived for ${stallTimeoutMs} ms`)),
    );
  }
}
