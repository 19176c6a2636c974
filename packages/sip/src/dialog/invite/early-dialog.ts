import type { SipResponse } from '../../message/message.ts';
import { createResponse } from '../../message/response.ts';
import type { ServerTransaction } from '../../transaction/server-transaction.ts';
import { describeCapabilities, rejectMethod } from '../capabilities.ts';
import { contactFor } from '../contact.ts';
import type { Dialog } from '../dialog.ts';
import type { DialogSender } from '../dialog-sender.ts';
import type { DialogUser } from '../dialog-user.ts';
import { type SessionMedia, sdpType } from '../session/session-media.ts';
import { requires } from '../supported.ts';

/** An early dialog of an outgoing call; a forked call has several. @see RFC 3261 §12.1.2, RFC 3262 §4 */
export class EarlyDialog implements DialogUser {
  readonly dialog: Dialog;
  readonly sender: DialogSender;
  readonly #media: SessionMedia;
  /** The peer's last answer to the local offer. */
  answer: Uint8Array | null = null;
  #sequence: number | null = null;

  constructor(sender: DialogSender, media: SessionMedia) {
    this.dialog = sender.dialog;
    this.sender = sender;
    this.#media = media;
  }

  /**
   * Acknowledges a provisional response with PRACK if it is reliable. Returns false if the response must be ignored: it
   * is repeated, or overtook an earlier one.
   */
  acknowledges(response: SipResponse, inviteCSeq: number): boolean {
    const text = response.headers.get('RSeq') ?? '';
    if (!requires(response, '100rel') || !/^\d{1,10}$/.test(text)) return true;
    const sequence = Number(text);
    // The transaction retransmits the PRACK; the peer retransmits a response that overtook an earlier one.
    if (this.#sequence !== null && sequence !== this.#sequence + 1) return false;
    this.#sequence = sequence;
    this.dialog.refreshTarget(response);
    const headers: [string, string][] = [['RAck', `${sequence} ${inviteCSeq} INVITE`]];
    this.sender.request('PRACK', { headers }, { onResponse() {}, onFailure() {} });
    return true;
  }

  onRequest(transaction: ServerTransaction): void {
    const { request, envelope, flow } = transaction;
    if (!this.dialog.acceptCSeq(envelope.cseq.number)) {
      transaction.respond(createResponse(request, 500, { reason: 'CSeq Out Of Order' }));
    } else if (request.method === 'UPDATE') this.#onUpdate(transaction);
    else if (request.method === 'OPTIONS') transaction.respond(describeCapabilities(request, this.dialog.localTag));
    else if (request.method === 'INFO') transaction.respond(createResponse(request, 200));
    else if (request.method === 'INVITE') transaction.respond(createResponse(request, 491));
    else if (['BYE', 'PRACK', 'NOTIFY', 'REFER'].includes(request.method)) {
      transaction.respond(
        createResponse(request, 481, { headers: [['Contact', contactFor(flow, this.dialog.isSecure)]] }),
      );
    } else transaction.respond(rejectMethod(request, this.dialog.localTag));
  }

  /** Does nothing: the peer has sent no INVITE in this dialog. */
  onAck(): void {}

  /** Handles an UPDATE. Rejects an offer in it until the local offer is answered. @see RFC 3311 §5.2 */
  #onUpdate(transaction: ServerTransaction): void {
    const { request, flow } = transaction;
    const contact: [string, string] = ['Contact', contactFor(flow, this.dialog.isSecure)];
    if (request.body.length === 0) {
      this.dialog.refreshTarget(request);
      transaction.respond(createResponse(request, 200, { headers: [contact] }));
    } else if (this.answer === null) transaction.respond(createResponse(request, 491));
    else {
      const outcome = this.#media.answer(request.body, flow.remote.address);
      if (outcome.ok) {
        this.dialog.refreshTarget(request);
        const body = { type: sdpType, bytes: outcome.answer };
        transaction.respond(createResponse(request, 200, { headers: [contact], body }));
      } else transaction.respond(createResponse(request, 488, { headers: [['Warning', outcome.warning]] }));
    }
  }
}
