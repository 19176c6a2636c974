import { TimerSlot } from '@va/media';
import type { SipResponse } from '../../message/message.ts';
import { createResponse } from '../../message/response.ts';
import type { ServerTransaction } from '../../transaction/server-transaction.ts';
import { transactionLifeMs } from '../../transport/timers.ts';
import type { SessionContext } from '../session/session-context.ts';

/**
 * Sends provisional responses that the caller acknowledges with PRACK, one at a time: a later one waits until the
 * earlier one is acknowledged.
 * @see RFC 3262 §3
 */
export class ReliableProvisional {
  readonly #context: SessionContext;
  readonly #invite: ServerTransaction;
  readonly #onUnacknowledged: () => void;
  readonly #retransmit: TimerSlot;
  readonly #timeout: TimerSlot;
  readonly #waiting: SipResponse[] = [];
  #sequence: number;
  #outstanding = new Set<number>();
  #stopped = false;

  /** @param onUnacknowledged called when the caller does not acknowledge in time */
  constructor(context: SessionContext, invite: ServerTransaction, onUnacknowledged: () => void) {
    const [a = 0, b = 0] = context.random(2);
    this.#context = context;
    this.#invite = invite;
    this.#onUnacknowledged = onUnacknowledged;
    this.#retransmit = new TimerSlot(context.clock);
    this.#timeout = new TimerSlot(context.clock);
    this.#sequence = (a << 8) | b;
  }

  send(response: SipResponse): void {
    if (this.#stopped) return;
    if (this.#outstanding.size > 0) this.#waiting.push(response);
    else this.#transmit(response);
  }

  /** Answers a PRACK; 481 when it matches no response that waits for acknowledgement. */
  onPrack(transaction: ServerTransaction): void {
    const { request } = transaction;
    const [rseq, cseq, method] = (request.headers.get('RAck') ?? '').trim().split(/\s+/);
    const ours = Number(cseq) === this.#invite.envelope.cseq.number && method === 'INVITE';
    if (!ours || !this.#outstanding.delete(Number(rseq))) {
      transaction.respond(createResponse(request, 481));
      return;
    }
    // Local provisional responses contain no description, so an offer in a PRACK is not allowed.
    transaction.respond(createResponse(request, request.body.length === 0 ? 200 : 488));
    this.#retransmit.clear();
    this.#timeout.clear();
    const next = this.#waiting.shift();
    if (next !== undefined) this.#transmit(next);
  }

  /** Stops retransmission because a final response was sent; a PRACK may still arrive. */
  stop(): void {
    this.#stopped = true;
    this.#waiting.length = 0;
    this.#retransmit.clear();
    this.#timeout.clear();
  }

  #transmit(response: SipResponse): void {
    const { timers } = this.#context;
    this.#sequence += 1;
    this.#outstanding.add(this.#sequence);
    response.headers.add('Require', '100rel').add('RSeq', String(this.#sequence));
    this.#invite.respond(response);
    this.#retransmit.retransmit(timers.t1Ms, Number.POSITIVE_INFINITY, () => this.#invite.respond(response));
    this.#timeout.set(transactionLifeMs(timers), () => {
      this.stop();
      this.#onUnacknowledged();
    });
  }
}
