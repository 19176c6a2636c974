import {
  type Clock,
  EventQueue,
  type Logger,
  type ProviderError,
  type SttEvent,
  type SttStream,
  type SttStreamOptions,
} from '@va/core/adapter';
import type { DeepgramConnectionEvents, DeepgramTarget, ListenConnection } from './connection.ts';
import { fittingKeyterms } from './keyterms.ts';
import { ResilientConnection, type ResilientConnectionHost } from './resilient-connection.ts';

/** Converts the messages of a kind of model to the events of the port. */
export interface Listener {
  /** See `SttStream.judgesTurns`. */
  readonly judgesTurns: boolean;
  open(events: DeepgramConnectionEvents): Promise<ListenConnection>;
  /** Called when a connection is open: the first one, and each one after a loss. */
  opened(connection: ListenConnection): void;
  received(message: unknown): void;
  /** See `SttStream.speechStarted`. Not called after `stop`. */
  speechStarted?(): void;
  /** See `SttStream.finalize`. Not called after `stop`. */
  finalize(): void;
  /** Replaces the key terms, on this connection if possible, else on the next one. */
  setKeyterms(keyterms: readonly string[]): void;
  /** Cancels pending timers. */
  stop(): void;
}

/** Dependencies of a listener. */
export interface ListenerHost {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly connection: ResilientConnection;
  emit(event: SttEvent): void;
}

/** Live transcription of one phone call. A lost connection is replaced. */
export class DeepgramStream implements SttStream, ResilientConnectionHost, ListenerHost {
  readonly id: string;
  readonly apiKey: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly connection: ResilientConnection;
  readonly judgesTurns: boolean;
  readonly #events = new EventQueue<SttEvent>();
  readonly #listener: Listener;
  readonly #signal: AbortSignal;
  readonly #abort = (): void => this.close();
  #closed = false;

  constructor(
    { id, apiKey }: Pick<DeepgramTarget, 'id' | 'apiKey'>,
    { clock, logger, signal, hints, format }: SttStreamOptions,
    listen: (host: ListenerHost, keyterms: readonly string[]) => Listener,
  ) {
    this.id = id;
    this.apiKey = apiKey;
    this.clock = clock;
    this.logger = logger;
    this.#signal = signal;
    this.connection = new ResilientConnection(this, format);
    this.#listener = listen(this, this.#fitting(hints));
    this.judgesTurns = this.#listener.judgesTurns;
    if (signal.aborted) this.close();
    else signal.addEventListener('abort', this.#abort, { once: true });
    this.connection.connect();
  }

  [Symbol.asyncIterator](): AsyncIterator<SttEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  send(audio: Uint8Array): void {
    this.connection.send(audio);
  }

  speechStarted(): void {
    if (!this.#closed) this.#listener.speechStarted?.();
  }

  finalize(): void {
    if (!this.#closed) this.#listener.finalize();
  }

  setHints(hints: readonly string[]): void {
    if (!this.#closed) this.#listener.setKeyterms(this.#fitting(hints));
  }

  close(): void {
    if (this.#closed) return;
    this.#end();
    this.connection.close();
    this.#events.discard();
  }

  emit(event: SttEvent): void {
    this.#events.push(event);
  }

  open(events: DeepgramConnectionEvents): Promise<ListenConnection> {
    return this.#listener.open(events);
  }

  opened(connection: ListenConnection): void {
    this.#listener.opened(connection);
  }

  received(message: unknown): void {
    this.#listener.received(message);
  }

  failed(error: ProviderError): void {
    this.#end();
    this.#events.fail(error);
  }

  #fitting(hints: readonly string[]): readonly string[] {
    const keyterms = fittingKeyterms(hints);
    const dropped = hints.length - keyterms.length;
    if (dropped > 0)
      this.logger.warn({ provider: this.id, dropped }, 'dropped key terms beyond the limit of 500 tokens');
    return keyterms;
  }

  #end(): void {
    this.#closed = true;
    this.#signal.removeEventListener('abort', this.#abort);
    this.#listener.stop();
  }
}
