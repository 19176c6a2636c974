import type { Timer } from '@va/core';
import { fieldsOf } from '../shared/json.ts';
import { type ConnectionEvents, type ConnectionTarget, connectFlux, type DeepgramConnection } from './connection.ts';
import type { Listener, ListenerHost } from './stream.ts';
import { readTurnInfo, type TurnInfo } from './turn-info.ts';

/** The service's own `eot_timeout_ms`, where the agent names none. */
const defaultTurnTimeoutMs = 5_000;
/** How much later than promised the end of a turn may be told. */
const graceMs = 2_000;

/** A model of `/v2/listen`, which hears itself where a turn begins and ends. */
export class FluxListener implements Listener {
  readonly judgesTurns = true;
  readonly #host: ListenerHost;
  readonly #target: ConnectionTarget;
  readonly #patienceMs: number;
  #state: 'silent' | 'speaking' | 'ending' = 'silent';
  #partial = '';
  /** The number of the last turn that ended on this connection. */
  #endedTurn = -1;
  #turn = -1;
  #patience: Timer | undefined;

  constructor(host: ListenerHost, target: ConnectionTarget) {
    this.#host = host;
    this.#target = target;
    const { eot_timeout_ms } = target.config;
    this.#patienceMs = (typeof eot_timeout_ms === 'number' ? eot_timeout_ms : defaultTurnTimeoutMs) + graceMs;
  }

  open(events: ConnectionEvents): Promise<DeepgramConnection> {
    return connectFlux(this.#target, events);
  }

  opened(): void {
    this.#endedTurn = -1;
    this.#turn = -1;
    // Whether a turn has ended is judged anew.
    if (this.#state !== 'ending') return;
    this.#state = 'speaking';
    this.#host.tell({ type: 'turn-resumed' });
  }

  received(message: unknown): void {
    const info = readTurnInfo(message);
    if (info !== undefined) {
      this.#host.link.proved();
      if (info.turn > this.#endedTurn) this.#heard(info);
      return;
    }
    const { type, code, description } = fieldsOf(message) ?? {};
    // The service hangs up after it, and is connected to again.
    if (type === 'Error') this.#host.logger.warn({ code, description }, 'Deepgram reports an error');
  }

  /** The service cannot be asked: what it has is what it told. */
  finalize(): void {
    this.#host.tell({ type: 'finalized' });
  }

  stop(): void {
    this.#patience?.cancel();
  }

  #heard({ event, turn, transcript }: TurnInfo): void {
    // After a loss the turn is heard from its beginning again: it has begun only once.
    if (this.#state === 'silent') {
      if (event !== 'StartOfTurn' && transcript === '') return;
      this.#state = 'speaking';
      this.#host.tell({ type: 'turn-started' });
    }
    this.#turn = turn;
    this.#arm();
    if (event === 'EndOfTurn') {
      this.#endTurn(transcript);
      return;
    }
    if (event === 'TurnResumed' && this.#state === 'ending') {
      this.#state = 'speaking';
      this.#host.tell({ type: 'turn-resumed' });
    }
    if (transcript !== '' && transcript !== this.#partial) {
      this.#partial = transcript;
      this.#host.tell({ type: 'partial', text: transcript });
    }
    if (event === 'EagerEndOfTurn' && this.#state === 'speaking') {
      this.#state = 'ending';
      this.#host.tell({ type: 'turn-ending' });
    }
  }

  #endTurn(text: string): void {
    this.#patience?.cancel();
    this.#state = 'silent';
    this.#partial = '';
    this.#endedTurn = this.#turn;
    this.#host.link.settled();
    if (text !== '') this.#host.tell({ type: 'final', text });
    this.#host.tell({ type: 'turn-ended' });
  }

  /** The pipeline waits for the end of a turn that has begun, and a lost connection may have taken it along. */
  #arm(): void {
    this.#patience?.cancel();
    this.#patience = this.#host.clock.setTimer(this.#patienceMs, () => this.#endTurn(this.#partial));
  }
}
