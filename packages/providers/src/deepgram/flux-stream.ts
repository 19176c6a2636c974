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
import { fieldsOf } from '../shared/json.ts';
import { type ConnectionEvents, type ConnectionTarget, connectFlux, type DeepgramConnection } from './connection.ts';
import { DeepgramLink, type LinkHost } from './link.ts';
import { readTurnInfo, type TurnInfo } from './turn-info.ts';

/** The service's own `eot_timeout_ms`, where the agent names none. */
const defaultTurnTimeoutMs = 5_000;
/** How much later than promised the end of a turn may be told. */
const graceMs = 2_000;

/** One call's recognition by a model that hears itself where a turn begins and ends. */
export class FluxStream implements SttStream, LinkHost {
  readonly judgesTurns = true;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly #events = new EventQueue<SttEvent>();
  readonly #target: ConnectionTarget;
  readonly #signal: AbortSignal;
  readonly #link: DeepgramLink;
  readonly #patienceMs: number;
  readonly #abort = (): void => this.close();
  #closed = false;
  #state: 'silent' | 'speaking' | 'ending' = 'silent';
  #partial = '';
  /** The number of the last turn that ended on this connection. */
  #endedTurn = -1;
  #turn = -1;
  #patience: Timer | undefined;

  constructor(target: ConnectionTarget, { config, logger, signal }: SttStreamOptions) {
    this.clock = target.clock;
    this.logger = logger;
    this.#target = target;
    this.#signal = signal;
    const timeoutMs = typeof config.eot_timeout_ms === 'number' ? config.eot_timeout_ms : defaultTurnTimeoutMs;
    this.#patienceMs = timeoutMs + graceMs;
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

  /** The service cannot be asked: what it has is what it told. */
  finalize(): void {
    this.#events.push({ type: 'finalized' });
  }

  close(): void {
    if (this.#closed) return;
    this.#end();
    this.#link.close();
    this.#events.discard();
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
    this.#events.push({ type: 'turn-resumed' });
  }

  received(message: unknown): void {
    const info = readTurnInfo(message);
    if (info !== undefined) {
      this.#link.proved();
      if (info.turn > this.#endedTurn) this.#heard(info);
      return;
    }
    const { type, code, description } = fieldsOf(message) ?? {};
    // The service hangs up after it, and is connected to again.
    if (type === 'Error') this.logger.warn({ code, description }, 'Deepgram reports an error');
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

  #heard({ event, turn, transcript }: TurnInfo): void {
    // After a loss the turn is heard from its beginning again: it has begun only once.
    if (this.#state === 'silent') {
      if (event !== 'StartOfTurn' && transcript === '') return;
      this.#state = 'speaking';
      this.#events.push({ type: 'turn-started' });
    }
    this.#turn = turn;
    this.#arm();
    if (event === 'EndOfTurn') {
      this.#endTurn(transcript);
      return;
    }
    if (event === 'TurnResumed' && this.#state === 'ending') {
      this.#state = 'speaking';
      this.#events.push({ type: 'turn-resumed' });
    }
    if (transcript !== '' && transcript !== this.#partial) {
      this.#partial = transcript;
      this.#events.push({ type: 'partial', text: transcript });
    }
    if (event === 'EagerEndOfTurn' && this.#state === 'speaking') {
      this.#state = 'ending';
      this.#events.push({ type: 'turn-ending' });
    }
  }

  #endTurn(text: string): void {
    this.#patience?.cancel();
    this.#state = 'silent';
    this.#partial = '';
    this.#endedTurn = this.#turn;
    this.#link.settled();
    if (text !== '') this.#events.push({ type: 'final', text });
    this.#events.push({ type: 'turn-ended' });
  }

  /** The pipeline waits for the end of a turn that has begun, and a lost connection may have taken it along. */
  #arm(): void {
    this.#patience?.cancel();
    this.#patience = this.clock.setTimer(this.#patienceMs, () => this.#endTurn(this.#partial));
  }
}
