import { TimerSlot } from '@va/media';
import type { Envelope } from '../message/envelope.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import type { Flow } from '../transport/flow.ts';
import { transactionLifeMs } from '../transport/timers.ts';
import type { ClientTransactionOptions, ManagedClientTransaction } from './client-transaction.ts';

/** The client transaction of all methods but INVITE. @see RFC 3261 §17.1.2 */
export class NonInviteClientTransaction implements ManagedClientTransaction {
  readonly request: SipRequest;
  readonly flow: Flow;
  readonly #options: ClientTransactionOptions;
  /** Timer E. */
  readonly #retransmit: TimerSlot;
  /** Timers F and K. */
  readonly #life: TimerSlot;
  #state: 'trying' | 'proceeding' | 'completed' | 'terminated' = 'trying';

  constructor(request: SipRequest, options: ClientTransactionOptions) {
    this.request = request;
    this.flow = options.flow;
    this.#options = options;
    this.#retransmit = new TimerSlot(options.clock);
    this.#life = new TimerSlot(options.clock);
  }

  start(): void {
    const { timers, send } = this.#options;
    if (!this.flow.reliable) this.#retransmit.retransmit(timers.t1Ms, timers.t2Ms, () => send(this.request));
    this.#life.set(transactionLifeMs(timers), () =>
      this.#fail('timeout', `The peer did not respond to the ${this.request.method} in time.`),
    );
    send(this.request);
  }

  onResponse(response: SipResponse, envelope: Envelope): void {
    if (this.#state !== 'trying' && this.#state !== 'proceeding') return;
    const { timers, user, send } = this.#options;
    if (response.status < 200) {
      if (this.#state === 'trying' && !this.flow.reliable) {
        this.#retransmit.retransmit(timers.t2Ms, timers.t2Ms, () => send(this.request));
      }
      this.#state = 'proceeding';
    } else {
      this.#state = 'completed';
      this.#retransmit.clear();
      this.#life.set(this.flow.reliable ? 0 : timers.t4Ms, () => this.destroy());
    }
    user.onResponse(response, envelope);
  }

  onTransportFailure(message: string): void {
    if (this.#state === 'trying' || this.#state === 'proceeding') this.#fail('transport', message);
  }

  destroy(): void {
    if (this.#state === 'terminated') return;
    this.#state = 'terminated';
    this.#retransmit.clear();
    this.#life.clear();
    this.#options.onTerminated();
  }

  #fail(cause: 'timeout' | 'transport', message: string): void {
    this.destroy();
    this.#options.user.onFailure(cause, message);
  }
}
