import { TimerSlot } from '@va/media';
import type { SipResponse } from '../../message/message.ts';
import type { ServerTransaction } from '../../transaction/server-transaction.ts';
import { transactionLifeMs } from '../../transport/timers.ts';
import type { SessionContext } from './session-context.ts';

/**
 * Retransmits a 2xx to an INVITE until its ACK arrives. Does so on reliable transports too, because a proxy may forward
 * the 2xx over an unreliable one.
 * @see RFC 3261 §13.3.1.4
 */
export class AcknowledgedAnswer {
  readonly cseq: number;
  readonly #retransmit: TimerSlot;
  readonly #timeout: TimerSlot;

  constructor(context: SessionContext, invite: ServerTransaction, response: SipResponse, onUnacknowledged: () => void) {
    const { clock, timers } = context;
    this.cseq = invite.envelope.cseq.number;
    this.#retransmit = new TimerSlot(clock);
    this.#timeout = new TimerSlot(clock);
    invite.respond(response);
    this.#retransmit.retransmit(timers.t1Ms, timers.t2Ms, () => invite.respond(response));
    this.#timeout.set(transactionLifeMs(timers), () => {
      this.stop();
      onUnacknowledged();
    });
  }

  stop(): void {
    this.#retransmit.clear();
    this.#timeout.clear();
  }
}
