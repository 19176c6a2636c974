import type { Timer } from '@va/core';
import { type ConnectionEvents, type ConnectionTarget, connect, type DeepgramConnection } from './connection.ts';
import { readResults } from './results.ts';
import type { Listener, ListenerHost } from './stream.ts';

/** How long the answer to a Finalize may take; without one the last partial is taken for final. */
const finalizeTimeoutMs = 1_000;

/** A model of `/v1/listen`, whose turns the pipeline ends. */
export class NovaListener implements Listener {
  readonly judgesTurns = false;
  readonly #host: ListenerHost;
  readonly #target: ConnectionTarget;
  #partial = '';
  /** Calls of `finalize` without their `finalized` yet. */
  #awaited = 0;
  #patience: Timer | undefined;

  constructor(host: ListenerHost, target: ConnectionTarget) {
    this.#host = host;
    this.#target = target;
  }

  open(events: ConnectionEvents): Promise<DeepgramConnection> {
    return connect(this.#target, events);
  }

  opened(connection: DeepgramConnection): void {
    if (this.#awaited > 0) connection.finalize();
  }

  finalize(): void {
    this.#awaited++;
    this.#patience?.cancel();
    this.#patience = this.#host.clock.setTimer(finalizeTimeoutMs, () => this.#settle(this.#partial, this.#awaited));
    this.#host.link.connection?.finalize();
  }

  received(message: unknown): void {
    const results = readResults(message);
    if (results === undefined) return;
    this.#host.link.proved();
    const { transcript, isFinal, fromFinalize } = results;
    if (!isFinal) {
      if (transcript === '' || transcript === this.#partial) return;
      this.#partial = transcript;
      this.#host.tell({ type: 'partial', text: transcript });
      return;
    }
    if (fromFinalize && this.#awaited > 0) this.#settle(transcript, 1);
    else this.#final(transcript);
  }

  stop(): void {
    this.#patience?.cancel();
  }

  #final(text: string): void {
    this.#partial = '';
    this.#host.link.settled();
    if (text !== '') this.#host.tell({ type: 'final', text });
  }

  /** The pipeline counts: each `finalize` gets its own answer. */
  #settle(text: string, answers: number): void {
    this.#final(text);
    for (let answer = 0; answer < answers; answer++) this.#host.tell({ type: 'finalized' });
    this.#awaited -= answers;
    if (this.#awaited === 0) this.#patience?.cancel();
  }
}
