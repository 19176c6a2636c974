import { TimerSlot } from '@va/media';
import type { Envelope } from '../message/envelope.ts';
import { SipHeaders } from '../message/headers.ts';
import { noBody, type SipRequest, type SipResponse } from '../message/message.ts';
import type { Flow } from '../transport/flow.ts';
import { transactionLifeMs } from '../transport/timers.ts';
import type { ClientTransactionOptions, ManagedClientTransaction } from './client-transaction.ts';

/** Creates the ACK for a rejection, which belongs to the INVITE's transaction. @see RFC 3261 §17.1.1.3 */
function createRejectionAck(invite: SipRequest, response: SipResponse): SipRequest {
  const headers = new SipHeaders();
  headers.add('Via', invite.headers.get('Via') ?? '');
  headers.add('Max-Forwards', '70');
  headers.add('From', invite.headers.get('From') ?? '');
  headers.add('To', response.headers.get('To') ?? '');
  headers.add('Call-ID', invite.headers.get('Call-ID') ?? '');
  headers.add('CSeq', (invite.headers.get('CSeq') ?? '').replace('INVITE', 'ACK'));
  for (const route of invite.headers.all('Route')) headers.add('Route', route);
  return { kind: 'request', method: 'ACK', uri: invite.uri, headers, body: noBody };
}

/**
 * The INVITE client transaction. After a 2xx it stays alive for a while and passes each retransmission on, so that the
 * dialog can repeat its ACK.
 * @see RFC 3261 §17.1.1, RFC 6026 §7.2
 */
export class InviteClientTransaction implements ManagedClientTransaction {
  readonly request: SipRequest;
  readonly flow: Flow;
  readonly #options: ClientTransactionOptions;
  /** Timer A. */
  readonly #retransmit: TimerSlot;
  /** Timers B, D and M. */
  readonly #life: TimerSlot;
  #state: 'calling' | 'proceeding' | 'accepted' | 'completed' | 'terminated' = 'calling';

  constructor(request: SipRequest, options: ClientTransactionOptions) {
    this.request = request;
    this.flow = options.flow;
    this.#options = options;
    this.#retransmit = new TimerSlot(options.clock);
    this.#life = new TimerSlot(options.clock);
  }

  start(): void {
    const { timers, send } = this.#options;
    if (!this.flow.reliable) {
      this.#retransmit.retransmit(timers.t1Ms, Number.POSITIVE_INFINITY, () => send(this.request));
    }
    this.#life.set(transactionLifeMs(timers), () =>
      this.#fail('timeout', 'The peer did not respond to the INVITE in time.'),
    );
    send(this.request);
  }

  onResponse(response: SipResponse, envelope: Envelope): void {
    const { user, timers } = this.#options;
    if (this.#state === 'calling' || this.#state === 'proceeding') {
      this.#retransmit.clear();
      this.#life.clear();
      if (response.status < 200) this.#state = 'proceeding';
      else {
        const success = response.status < 300;
        this.#state = success ? 'accepted' : 'completed';
        const lingerMs = this.flow.reliable && !success ? 0 : transactionLifeMs(timers);
        this.#life.set(lingerMs, () => this.destroy());
        if (!success) this.#options.send(createRejectionAck(this.request, response));
      }
      user.onResponse(response, envelope);
    } else if (this.#state === 'accepted' && response.status >= 200 && response.status < 300) {
      user.onResponse(response, envelope);
    } else if (this.#state === 'completed' && response.status >= 300) {
      this.#options.send(createRejectionAck(this.request, response));
    }
  }

  onTransportFailure(message: string): void {
    if (this.#state === 'calling' || this.#state === 'proceeding') this.#fail('transport', message);
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
