import type { Clock } from '@va/core/adapter';
import { TimerSlot } from '@va/media';
import type { Envelope } from '../message/envelope.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import type { Flow } from '../transport/flow.ts';
import { type SipTimers, transactionLifeMs } from '../transport/timers.ts';
import type { ManagedServerTransaction } from './server-transaction.ts';

interface NonInviteServerOptions {
  readonly clock: Clock;
  readonly timers: SipTimers;
  readonly send: (response: SipResponse) => void;
  readonly onTerminated: () => void;
}

/** The server transaction of all methods but INVITE. @see RFC 3261 §17.2.2 */
export class NonInviteServerTransaction implements ManagedServerTransaction {
  readonly request: SipRequest;
  readonly envelope: Envelope;
  readonly flow: Flow;
  readonly #options: NonInviteServerOptions;
  /** Timer J; before the final response it limits the time in which the transaction user may respond. */
  readonly #life: TimerSlot;
  #final: SipResponse | null = null;
  #terminated = false;

  constructor(request: SipRequest, envelope: Envelope, flow: Flow, options: NonInviteServerOptions) {
    this.request = request;
    this.envelope = envelope;
    this.flow = flow;
    this.#options = options;
    this.#life = new TimerSlot(options.clock);
    this.#life.set(transactionLifeMs(options.timers), () => this.destroy());
  }

  respond(response: SipResponse): void {
    if (this.#final !== null || this.#terminated) return;
    this.#options.send(response);
    if (response.status < 200) return;
    this.#final = response;
    this.#life.set(this.flow.reliable ? 0 : transactionLifeMs(this.#options.timers), () => this.destroy());
  }

  onRetransmission(): void {
    if (this.#final !== null) this.#options.send(this.#final);
  }

  /** Does nothing: only an INVITE has an ACK. */
  onAck(): void {}

  destroy(): void {
    if (this.#terminated) return;
    this.#terminated = true;
    this.#life.clear();
    this.#options.onTerminated();
  }
}
