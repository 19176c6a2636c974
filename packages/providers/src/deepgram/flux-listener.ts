import type { Timer } from '@va/core/adapter';
import {
  connectFlux,
  type DeepgramConnectionEvents,
  type DeepgramTarget,
  type ListenConnection,
} from './connection.ts';
import { readErrorReport } from './error-report.ts';
import type { Listener, ListenerHost } from './stream.ts';
import { readTurnInfo, type TurnInfo } from './turn-info.ts';

/** The service's default `eot_timeout_ms`, used if the agent sets none. */
const defaultTurnTimeoutMs = 5_000;
/** Time to wait for the end of a turn beyond `eot_timeout_ms`. */
const graceMs = 2_000;
/** Maximum wait for the response to a ForceEndTurn. */
const forceTimeoutMs = 1_000;

/** Recognizes speech with a Flux model (`/v2/listen`). The model detects the start and end of turns itself. */
export class FluxListener implements Listener {
  readonly judgesTurns = true;
  readonly #host: ListenerHost;
  readonly #target: DeepgramTarget;
  readonly #turnTimeoutMs: number;
  #keyterms: readonly string[];
  #state: 'silent' | 'speaking' | 'ending' = 'silent';
  #partial = '';
  /** Number of the last turn that ended on this connection. */
  #endedTurn = -1;
  #turn = -1;
  #timeout: Timer | undefined;

  constructor(host: ListenerHost, target: DeepgramTarget, keyterms: readonly string[]) {
    this.#host = host;
    this.#target = target;
    this.#keyterms = keyterms;
    this.#turnTimeoutMs = (target.settings.eot_timeout_ms ?? defaultTurnTimeoutMs) + graceMs;
  }

  open(events: DeepgramConnectionEvents): Promise<ListenConnection> {
    return connectFlux(this.#target, this.#keyterms, events);
  }

  opened(): void {
    this.#endedTurn = -1;
    this.#turn = -1;
    // The new connection evaluates the end of the turn again.
    if (this.#state !== 'ending') return;
    this.#state = 'speaking';
    this.#host.emit({ type: 'turn-resumed' });
  }

  received(message: unknown): void {
    const info = readTurnInfo(message);
    if (info !== undefined) {
      this.#host.connection.succeeded();
      if (info.turn > this.#endedTurn) this.#onTranscript(info);
      return;
    }
    const report = readErrorReport(message, this.#target.apiKey);
    if (report !== undefined) {
      this.#host.logger.warn({ provider: this.#target.id, ...report }, 'provider reported an error');
    }
  }

  setKeyterms(keyterms: readonly string[]): void {
    this.#keyterms = keyterms;
    if (this.#target.updatesKeyterms) this.#host.connection.current?.control({ type: 'Configure', keyterms });
  }

  /** Confirms at once: the service has no Finalize, so the words reported so far are used. */
  finalize(): void {
    this.#host.emit({ type: 'finalized' });
  }

  stop(): void {
    this.#timeout?.cancel();
  }

  #onTranscript({ event, turn, transcript, language }: TurnInfo): void {
    // After a reconnection the turn is transcribed again from its start, which must not be reported twice.
    if (this.#state === 'silent') {
      if (event !== 'StartOfTurn' && transcript === '') return;
      this.#state = 'speaking';
      this.#host.emit({ type: 'turn-started' });
    }
    this.#turn = turn;
    this.#arm();
    if (event === 'EndOfTurn') {
      this.#endTurn(transcript, language);
      return;
    }
    if (event === 'TurnResumed' && this.#state === 'ending') {
      this.#state = 'speaking';
      this.#host.emit({ type: 'turn-resumed' });
    }
    if (transcript !== '' && transcript !== this.#partial) {
      this.#partial = transcript;
      this.#host.emit({ type: 'partial', text: transcript });
    }
    if (event === 'EagerEndOfTurn' && this.#state === 'speaking') {
      this.#state = 'ending';
      this.#host.emit({ type: 'turn-ending' });
    }
  }

  #endTurn(text: string, language?: string): void {
    this.#timeout?.cancel();
    this.#state = 'silent';
    this.#partial = '';
    this.#endedTurn = this.#turn;
    this.#host.connection.settled();
    if (text !== '') this.#host.emit({ type: 'final', text, ...(language !== undefined && { language }) });
    this.#host.emit({ type: 'turn-ended' });
  }

  /**
   * Starts the time limit of the turn. The pipeline waits for the end of a started turn, which may be lost with a
   * connection.
   */
  #arm(): void {
    this.#timeout?.cancel();
    this.#timeout = this.#host.clock.setTimer(this.#turnTimeoutMs, () => {
      const connection = this.#host.connection.current;
      if (!this.#target.forcesEndOfTurn || connection === undefined) {
        this.#endTurn(this.#partial);
        return;
      }
      connection.control({ type: 'ForceEndTurn' });
      this.#timeout = this.#host.clock.setTimer(forceTimeoutMs, () => this.#endTurn(this.#partial));
    });
  }
}
