import { parseNameAddr } from '../../message/name-addr.ts';
import { createResponse, reasonOf } from '../../message/response.ts';
import type { ServerTransaction } from '../../transaction/server-transaction.ts';
import type { DialogSender } from '../dialog-sender.ts';
import { sipfragType, writeSipfrag } from './sipfrag.ts';

/** A transfer that the peer requests. It must be accepted or rejected at once. @see RFC 3515 §2.4.2 */
export class IncomingRefer {
  /** Address to call, which may contain header fields such as Replaces. */
  readonly target: string;
  readonly referredBy: string | null;
  readonly #transaction: ServerTransaction;
  readonly #sender: DialogSender;
  readonly #subscribed: boolean;
  #state: 'pending' | 'accepted' | 'done' = 'pending';

  private constructor(transaction: ServerTransaction, sender: DialogSender, target: string) {
    const { headers } = transaction.request;
    this.target = target;
    this.referredBy = headers.get('Referred-By') ?? null;
    this.#transaction = transaction;
    this.#sender = sender;
    this.#subscribed = headers.get('Refer-Sub')?.trim().toLowerCase() !== 'false';
  }

  /** Returns null after rejecting with 400 a REFER that does not name exactly one target. */
  static read(transaction: ServerTransaction, sender: DialogSender): IncomingRefer | null {
    const [text, ...others] = transaction.request.headers.all('Refer-To');
    const target = text === undefined || others.length > 0 ? null : parseNameAddr(text);
    if (target !== null) return new IncomingRefer(transaction, sender, target.uri);
    transaction.respond(createResponse(transaction.request, 400, { reason: 'Refer-To Is Not One Address' }));
    return null;
  }

  get answered(): boolean {
    return this.#state !== 'pending';
  }

  /** Accepts the transfer and notifies the peer that it is being tried. */
  accept(): void {
    if (this.#state !== 'pending') return;
    this.#state = 'accepted';
    const headers: [string, string][] = this.#subscribed ? [] : [['Refer-Sub', 'false']];
    this.#transaction.respond(createResponse(this.#transaction.request, 202, { headers }));
    this.progress(100);
  }

  reject(status = 603): void {
    if (this.#state !== 'pending') return;
    this.#state = 'done';
    this.#transaction.respond(createResponse(this.#transaction.request, status));
  }

  /** Notifies the peer of the new call's progress; a final status ends the subscription. */
  progress(status: number): void {
    if (this.#state !== 'accepted') return;
    const isFinal = status >= 200;
    if (isFinal) this.#state = 'done';
    if (!this.#subscribed) return;
    const event = `refer;id=${this.#transaction.envelope.cseq.number}`;
    const state = isFinal ? 'terminated;reason=noresource' : 'active;expires=180';
    this.#sender.request(
      'NOTIFY',
      {
        headers: [
          ['Event', event],
          ['Subscription-State', state],
        ],
        body: { type: `${sipfragType};version=2.0`, bytes: writeSipfrag(status, reasonOf(status)) },
      },
      { onResponse() {}, onFailure() {} },
    );
  }
}
