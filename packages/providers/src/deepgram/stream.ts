import {
  type Clock,
  EventQueue,
  type Logger,
  type ProviderError,
  type SttEvent,
  type SttStream,
  type SttStreamOptions,
  type Timer,
} from '@va/core';
import { type ConnectionEvents, type ConnectionTarget, connect, type DeepgramConnection } from './connection.ts';
import { DeepgramLink, type LinkHost } from './link.ts';
import { readResults } from './results.ts';

/** How long the answer to a Finalize may take; without one the last partial is taken for final. */
const finalizeTimeoutMs = 1_000;

/** One call's live transcription, whose turns the pipeline ends. */
export class DeepgramStream implements SttStream, LinkHost {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly #events = new EventQueue<SttEvent>();
  readonly #target: ConnectionTarget;
  readonly #signal: AbortSignal;
  readonly #link: DeepgramLink;
  readonly #abort = (): void => this.close();
  #closed = false;
  #partial = '';
  /** Calls of `finalize` without their `finalized` yet. */
  #awaited = 0;
  #patience: Timer | undefined;

  constructor(target: ConnectionTarget, { logger, signal }: SttStreamOptions) {
    this.clock = target.clock;
    this.logger = logger;
    this.#target = target;
    this.#signal = signal;
    this.#link = new DeepgramLink(this);
    if (signal.aborted) this.close();
    else signal.addEventListener('abort', this.#abort, { once: true });
    this.#link.connect();
  }

  [Symbol.asyncIterator](): AsyncIterator<SttEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  send(audio: Uint8Array): void {
    this.#link.send(audio);
  }

  speechStarted(): void {}

  finalize(): void {
    if (this.#closed) return;
    this.#awaited++;
    this.#patience?.cancel();
    this.#patience = this.clock.setTimer(finalizeTimeoutMs, () => this.#settle(this.#partial, this.#awaited));
    this.#link.connection?.finalize();
  }

  close(): void {
    if (this.#closed) return;
    this.#end();
    this.#link.close();
    this.#events.discard();
  }

  open(events: ConnectionEvents): Promise<DeepgramConnection> {
    return connect(this.#target, events);
  }

  opened(connection: DeepgramConnection): void {
    if (this.#awaited > 0) connection.finalize();
  }

  received(message: unknown): void {
    const results = readResults(message);
    if (results === undefined) return;
    this.#link.proved();
    const { transcript, isFinal, fromFinalize } = results;
    if (!isFinal) {
      if (transcript === '' || transcript === this.#partial) return;
      this.#partial = transcript;
      this.#events.push({ type: 'partial', text: transcript });
      return;
    }
    if (fromFinalize && this.#awaited > 0) this.#settle(transcript, 1);
    else this.#final(transcript);
  }

  failed(error: ProviderError): void {
    this.#end();
    this.#events.fail(error);
  }

  #end(): void {
    this.#closed = true;
    this.#signal.removeEventListener('abort', this.#abort);
    this.#patience?.cancel();
  }

  #final(text: string): void {
    this.#partial = '';
    this.#link.settled();
    if (text !== '') this.#events.push({ type: 'final', text });
  }

  /** The pipeline counts: each `finalize` gets its own answer. */
  #settle(text: string, answers: number): void {
    this.#final(text);
    for (let answer = 0; answer < answers; answer++) this.#events.push({ type: 'finalized' });
    this.#awaited -= answers;
    if (this.#awaited === 0) this.#patience?.cancel();
  }
}
