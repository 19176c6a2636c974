import type { Clock } from '@va/core/adapter';
import { TimerSlot } from '@va/media';
import type { Envelope } from '../message/envelope.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import { serializeMessage } from '../message/serialize.ts';
import type { Flow } from '../transport/flow.ts';
import { type SipTimers, transactionLifeMs } from '../transport/timers.ts';
import type { ManagedServerTransaction } from './server-transaction.ts';

/** Bytes that may be sent for each byte received, to an unverified address. */
const maxAmplification = 3;

interface InviteServerOptions {
  readonly clock: Clock;
  readonly timers: SipTimers;
  /** Returns the number of bytes sent. */
  readonly send: (response: SipResponse) => number;
  /**
   * True if the request may come from a forged address: responses are then retransmitted only within its amplification
   * limit.
   */
  readonly mayBeForged: () => boolean;
  readonly onTerminated: () => void;
}

/**
 * The INVITE server transaction. A 2xx moves it to the state "accepted", where it absorbs retransmissions of the INVITE
 * while the dialog retransmits the 2xx.
 * @see RFC 3261 §17.2.1, RFC 6026 §7.1
 */
export class InviteServerTransaction implements ManagedServerTransaction {
  readonly request: SipRequest;
  readonly envelope: Envelope;
  readonly flow: Flow;
  readonly #options: InviteServerOptions;
  /** Timer G. */
  readonly #retransmit: TimerSlot;
  /** Timers H, I and L. */
  readonly #life: TimerSlot;
  #state: 'proceeding' | 'accepted' | 'completed' | 'confirmed' | 'terminated' = 'proceeding';
  #last: SipResponse | null = null;
  /** Number of times that the request was received. */
  #received = 1;
  #bytesOut = 0;

  constructor(request: SipRequest, envelope: Envelope, flow: Flow, options: InviteServerOptions) {
    this.request = request;
    this.envelope = envelope;
    this.flow = flow;
    this.#options = options;
    this.#retransmit = new TimerSlot(options.clock);
    this.#life = new TimerSlot(options.clock);
  }

  respond(response: SipResponse): void {
    const success = response.status >= 200 && response.status < 300;
    if (this.#state === 'accepted' && success) {
      this.#repeat(response);
      return;
    }
    if (this.#state !== 'proceeding') return;
    this.#last = response;
    if (response.status < 200) {
      this.#repeat(response);
      return;
    }
    // Sent once regardless of the limit: a caller that received a 100 does not retransmit its request, and would never
    // get the response.
    this.#send(response);
    const { timers } = this.#options;
    this.#state = success ? 'accepted' : 'completed';
    this.#life.set(transactionLifeMs(timers), () => this.destroy());
    if (success || this.flow.reliable) return;
    this.#retransmit.retransmit(timers.t1Ms, timers.t2Ms, () => this.#repeat(response));
  }

  onRetransmission(): void {
    this.#received += 1;
    if (this.#last !== null && (this.#state === 'proceeding' || this.#state === 'completed')) this.#repeat(this.#last);
  }

  onAck(): void {
    if (this.#state !== 'completed') return;
    this.#state = 'confirmed';
    this.#retransmit.clear();
    this.#life.set(this.flow.reliable ? 0 : this.#options.timers.t4Ms, () => this.destroy());
  }

  #send(response: SipResponse): void {
    this.#bytesOut += this.#options.send(response);
  }

  /**
   * Sends a response. If the address may be forged, only within the amplification limit: a forged request must not
   * cause a flood to its victim.
   */
  #repeat(response: SipResponse): void {
    if (!this.#options.mayBeForged() || this.#isWithinLimit(response)) this.#send(response);
  }

  #isWithinLimit(response: SipResponse): boolean {
    const bytesIn = this.#received * serializeMessage(this.request).length;
    return this.#bytesOut + serializeMessage(response).length <= maxAmplification * bytesIn;
  }

  destroy(): void {
    if (this.#state === 'terminated') return;
    this.#state = 'terminated';
    this.#retransmit.clear();
    this.#life.clear();
    this.#options.onTerminated();
  }
}
