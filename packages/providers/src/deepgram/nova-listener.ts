import type { Timer } from '@va/core/adapter';
import { connect, type DeepgramConnectionEvents, type DeepgramTarget, type ListenConnection } from './connection.ts';
import { readErrorReport } from './error-report.ts';
import { takesKeyterms } from './keyterms.ts';
import { readResults } from './results.ts';
import type { Listener, ListenerHost } from './stream.ts';

/** Maximum wait for the response to a Finalize; after it the last partial is used as final. */
const finalizeTimeoutMs = 1_000;
/** Maximum wait if all words are final already: the service need not respond to a Finalize without pending audio. */
const settledTimeoutMs = 200;

/** Listens to a model of `/v1/listen`, whose turns the pipeline ends. */
export class NovaListener implements Listener {
  readonly judgesTurns = false;
  readonly #host: ListenerHost;
  readonly #target: DeepgramTarget;
  #keyterms: readonly string[];
  #partial = '';
  /** True from a final with the end of speech (`speech_final`) to the next words or start of speech. */
  #isSettled = false;
  /** Number of `finalize` calls without their `finalized` yet. */
  #awaited = 0;
  #timeout: Timer | undefined;

  constructor(host: ListenerHost, target: DeepgramTarget, keyterms: readonly string[]) {
    this.#host = host;
    this.#target = target;
    this.#keyterms = keyterms;
  }

  open(events: DeepgramConnectionEvents): Promise<ListenConnection> {
    return connect(this.#target, this.#keyterms, events);
  }

  opened(connection: ListenConnection): void {
    if (this.#awaited > 0) this.#ask(connection, finalizeTimeoutMs);
  }

  speechStarted(): void {
    this.#isSettled = false;
  }

  finalize(): void {
    this.#awaited++;
    const connection = this.#host.connection.current;
    // Without a connection, `opened()` asks on the next one, after the audio was sent again.
    if (connection !== undefined) this.#ask(connection, this.#isSettled ? settledTimeoutMs : finalizeTimeoutMs);
  }

  /** Replaces the key terms: on this connection if the model and the endpoint support that, else on the next one. */
  setKeyterms(keyterms: readonly string[]): void {
    this.#keyterms = keyterms;
    const { model, updatesKeyterms } = this.#target;
    if (updatesKeyterms && takesKeyterms(model))
      this.#host.connection.current?.control({ type: 'Configure', keyterms });
  }

  received(message: unknown): void {
    const results = readResults(message);
    if (results === undefined) {
      const report = readErrorReport(message, this.#target.apiKey);
      if (report !== undefined) {
        this.#host.logger.warn({ provider: this.#target.id, ...report }, 'provider reported an error');
      }
      return;
    }
    this.#host.connection.succeeded();
    const { transcript, language, isFinal, fromFinalize, speechFinal } = results;
    if (!isFinal) {
      if (transcript === '' || transcript === this.#partial) return;
      this.#isSettled = false;
      this.#partial = transcript;
      this.#host.emit({ type: 'partial', text: transcript });
      return;
    }
    if (fromFinalize && this.#awaited > 0) this.#settle(transcript, 1, language);
    else this.#final(transcript, language);
    this.#isSettled = speechFinal && (transcript !== '' || this.#isSettled);
  }

  stop(): void {
    this.#timeout?.cancel();
  }

  #ask(connection: ListenConnection, timeoutMs: number): void {
    this.#timeout?.cancel();
    this.#timeout = this.#host.clock.setTimer(timeoutMs, () => this.#settle(this.#partial, this.#awaited));
    connection.control({ type: 'Finalize' });
  }

  #final(text: string, language?: string): void {
    this.#partial = '';
    this.#host.connection.settled();
    if (text !== '') this.#host.emit({ type: 'final', text, ...(language !== undefined && { language }) });
  }

  /** Emits the words as final, and a `finalized` for each answered `finalize`, because the pipeline counts them. */
  #settle(text: string, answers: number, language?: string): void {
    this.#final(text, language);
    this.#isSettled = false;
    for (let answer = 0; answer < answers; answer++) this.#host.emit({ type: 'finalized' });
    this.#awaited -= answers;
    if (this.#awaited === 0) this.#timeout?.cancel();
  }
}
