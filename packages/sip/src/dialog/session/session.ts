import type { DigestClient } from '../../auth/digest-client.ts';
import type { Envelope } from '../../message/envelope.ts';
import type { SipMessage, SipRequest, SipResponse } from '../../message/message.ts';
import { createResponse } from '../../message/response.ts';
import type { ServerTransaction } from '../../transaction/server-transaction.ts';
import type { Flow } from '../../transport/flow.ts';
import { allowedMethods, describeCapabilities, rejectMethod } from '../capabilities.ts';
import { contactFor } from '../contact.ts';
import type { Dialog } from '../dialog.ts';
import { type DialogRequestOptions, DialogSender } from '../dialog-sender.ts';
import type { DialogUser } from '../dialog-user.ts';
import { supported } from '../supported.ts';
import { AcknowledgedAnswer } from './acknowledged-answer.ts';
import { readDtmfInfo } from './dtmf-info.ts';
import { IncomingRefer } from './incoming-refer.ts';
import {
  defaultReferTimeoutMs,
  OutgoingRefer,
  type ReferOptions,
  type ReferOutcome,
  readEvent,
} from './outgoing-refer.ts';
import type { ReliableProvisional } from './reliable-provisional.ts';
import { Renegotiation } from './renegotiation.ts';
import { formatReplaces, withReplaces } from './replaces.ts';
import type { SessionContext } from './session-context.ts';
import { isTooBrief } from './session-expires.ts';
import { type SessionMedia, sdpType } from './session-media.ts';
import { SessionRefresh } from './session-refresh.ts';

export type SessionEnd =
  | { readonly cause: 'remote-hangup' }
  | { readonly cause: 'local-hangup' }
  | { readonly cause: 'transport-error'; readonly message: string };

interface SessionListener {
  /** The peer has acknowledged the local 2xx to its INVITE, or later to a re-INVITE. */
  onConfirmed(): void;
  /** Called exactly once, after the media are closed. */
  onEnd(end: SessionEnd): void;
  /** The dialog is finished: no more callbacks follow. Called exactly once, at or after the end. */
  onGone(session: Session): void;
  /** Another call has replaced this one and taken over its media and this listener. */
  onReplaced(by: Session): void;
  /** The peer requests a transfer; without this callback it is rejected. */
  onRefer(refer: IncomingRefer): void;
}

interface SessionOptions {
  readonly dialog: Dialog;
  readonly media: SessionMedia;
  /** The peer's INVITE, or its 2xx to the local one. */
  readonly peer: SipMessage;
  /** True if the local side made the call. */
  readonly caller: boolean;
  readonly digest: DigestClient | null;
  /** Reliable provisional responses sent before the answer, which may still be acknowledged. */
  readonly provisional?: ReliableProvisional;
}

/** An answered INVITE that waits for its ACK. */
interface PendingAnswer {
  readonly answer: AcknowledgedAnswer;
  /** The local 2xx contained the offer, so the ACK must contain the answer. */
  readonly expectsAnswer: boolean;
}

/** An answered call: the dialog, its media, and all requests within it. */
export class Session implements DialogUser {
  readonly dialog: Dialog;
  readonly media: SessionMedia;
  readonly listener: SessionListener;
  readonly #context: SessionContext;
  readonly #sender: DialogSender;
  readonly #renegotiation: Renegotiation;
  readonly #refresh: SessionRefresh;
  readonly #provisional: ReliableProvisional | undefined;
  #pending: PendingAnswer | null = null;
  #refer: OutgoingRefer | null = null;
  #ended = false;
  #gone = false;
  #byeAfterAck = false;

  constructor(context: SessionContext, options: SessionOptions, listener: SessionListener) {
    const { dialog, media, peer, caller, digest } = options;
    this.dialog = dialog;
    this.media = media;
    this.listener = listener;
    this.#context = context;
    this.#provisional = options.provisional;
    this.#sender = new DialogSender(context, dialog, digest);
    this.#renegotiation = new Renegotiation(context, this.#sender, {
      media,
      caller,
      busy: () => this.#pending !== null,
      timerHeaders: () => this.#refresh.headers(),
      onRefreshed: (response) => this.#refresh.onResponse(response),
      onTooBrief: (response) => this.#refresh.onTooBrief(response),
      onMismatch: () => this.#fail('The answer does not fit the offer.'),
    });
    this.#refresh = new SessionRefresh(context, {
      renegotiation: this.#renegotiation,
      peer,
      onDead: (message) => this.#fail(message),
    });
    if (peer.kind === 'response') this.#refresh.onResponse(peer);
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Flow for local requests; see {@link DialogSender.flow}. */
  get flow(): Flow | null {
    return this.#sender.flow;
  }

  /**
   * Sends the 2xx to an INVITE and retransmits it until it is acknowledged.
   * @returns the Warning text of the rejection when the peer's offer cannot be answered; nothing has been sent then
   */
  answer(invite: ServerTransaction): string | null {
    const { request } = invite;
    const hasOffer = request.body.length > 0;
    const outcome = hasOffer
      ? this.media.answer(request.body, invite.flow.remote.address)
      : { ok: true as const, answer: this.media.offer() };
    if (!outcome.ok) return outcome.warning;
    const response = createResponse(request, 200, {
      toTag: this.dialog.localTag,
      headers: [
        ...request.headers.all('Record-Route').map((route): [string, string] => ['Record-Route', route]),
        ['Contact', contactFor(invite.flow, this.dialog.isSecure)],
        ['Allow', allowedMethods],
        supported,
        ['Server', this.#context.userAgent],
        ...this.#refresh.onRequest(request),
      ],
      body: { type: sdpType, bytes: outcome.answer },
    });
    this.#pending?.answer.stop();
    const answer = new AcknowledgedAnswer(this.#context, invite, response, () => this.#onUnacknowledged());
    this.#pending = { answer, expectsAnswer: !hasOffer };
    return null;
  }

  onAck(request: SipRequest, envelope: Envelope): void {
    const pending = this.#pending;
    if (pending === null || pending.answer.cseq !== envelope.cseq.number) return;
    pending.answer.stop();
    this.#pending = null;
    if (this.#byeAfterAck) this.#sendBye();
    else if (pending.expectsAnswer && !this.media.accept(request.body, this.dialog.flow.remote.address)) {
      this.#fail('The ACK contained no answer that fits the offer.');
    } else if (!this.#ended) this.listener.onConfirmed();
  }

  onRequest(transaction: ServerTransaction): void {
    const { request, envelope } = transaction;
    const refuse = (status: number): void => transaction.respond(createResponse(request, status));
    if (!this.dialog.acceptCSeq(envelope.cseq.number)) {
      transaction.respond(createResponse(request, 500, { reason: 'CSeq Out Of Order' }));
      return;
    }
    if (request.method === 'BYE') this.#onBye(transaction);
    else if (request.method === 'NOTIFY') this.#onNotify(transaction);
    else if (this.#ended) refuse(481);
    else if (request.method === 'INVITE') this.#onReinvite(transaction);
    else if (request.method === 'UPDATE') this.#onUpdate(transaction);
    else if (request.method === 'INFO') this.#onInfo(transaction);
    else if (request.method === 'REFER') this.#onRefer(transaction);
    else if (request.method === 'PRACK') {
      if (this.#provisional === undefined) refuse(481);
      else this.#provisional.onPrack(transaction);
    } else if (request.method === 'OPTIONS') transaction.respond(describeCapabilities(request, this.dialog.localTag));
    else transaction.respond(rejectMethod(request, this.dialog.localTag));
  }

  /** Ends the call with a BYE; an answered incoming call waits for the ACK first (RFC 3261 §15). */
  hangup(): void {
    if (this.#ended) return;
    this.#end({ cause: 'local-hangup' });
    this.#sendByeWhenAllowed();
  }

  /** Discards the call without a message to the peer. */
  destroy(): void {
    this.#pending?.answer.stop();
    this.#pending = null;
    this.#end({ cause: 'local-hangup' });
    this.#leave();
  }

  /**
   * Puts the peer on hold or resumes it. Returns false if the peer rejects this, which changes nothing, or if the call
   * is over.
   * @see RFC 3264 §8.4
   */
  async hold(held: boolean): Promise<boolean> {
    if (this.#ended) return false;
    this.media.hold(held);
    const outcome = await this.#renegotiation.start('INVITE', true);
    if (outcome.type === 'gone') this.#fail(outcome.message);
    if (outcome.type === 'refused') this.media.hold(!held);
    return outcome.type === 'agreed';
  }

  /**
   * Requests a transfer from the peer. The call continues meanwhile; the requester hangs up afterwards.
   * @param target a SIP address, or `tel:`
   * @see RFC 3515, RFC 3892, RFC 3891
   */
  refer(target: string, options: ReferOptions = {}): Promise<ReferOutcome> {
    const { referredBy, replaces, signal, timeoutMs = defaultReferTimeoutMs } = options;
    if (this.#ended) return Promise.resolve({ type: 'failed', message: 'The call is over.' });
    if (this.#refer?.settled === false) {
      return Promise.resolve({ type: 'failed', message: 'Another transfer of this call is under way.' });
    }
    const refer = new OutgoingRefer(this.#context.clock, timeoutMs);
    this.#refer = refer;
    const cancel = (): void => refer.fail('The transfer was canceled.');
    signal?.addEventListener('abort', cancel, { once: true });
    void refer.outcome.then(() => signal?.removeEventListener('abort', cancel));
    if (signal?.aborted) cancel();
    else {
      const uri = replaces === undefined ? target : withReplaces(target, formatReplaces(replaces.dialog));
      const headers: (readonly [string, string])[] = [['Refer-To', `<${uri}>`], supported];
      if (referredBy !== undefined) headers.push(['Referred-By', `<${referredBy}>`]);
      const { flow } = this;
      if (flow !== null) headers.push(['Contact', contactFor(flow, this.dialog.isSecure)]);
      this.#sender.request(
        'REFER',
        { headers },
        {
          onResponse: (response) => refer.onResponse(response),
          onFailure: (_, message) => refer.fail(message),
        },
      );
    }
    return refer.outcome;
  }

  /** Sends an INFO within the call, such as a DTMF digit. @see RFC 6086 */
  info(body: NonNullable<DialogRequestOptions['body']>): void {
    if (!this.#ended) this.#sender.request('INFO', { body }, { onResponse() {}, onFailure() {} });
  }

  /** Hands media and listener over to the call that replaces this one, and hangs up. @see RFC 3891 §3 */
  replaceBy(to: Session): void {
    if (this.#ended) return;
    this.#stop();
    this.#refer?.onPeerHangup();
    this.listener.onReplaced(to);
    this.#sendByeWhenAllowed();
  }

  #onBye(transaction: ServerTransaction): void {
    transaction.respond(createResponse(transaction.request, 200));
    this.#pending?.answer.stop();
    this.#pending = null;
    if (this.#refer?.settled === false) {
      // A pending transfer reports its outcome before the end of the call is reported.
      this.#refer.onPeerHangup();
      this.#stop();
      this.#context.clock.setTimer(0, () => this.#reportEnd({ cause: 'remote-hangup' }));
    } else this.#end({ cause: 'remote-hangup' });
    this.#leave();
  }

  #onNotify(transaction: ServerTransaction): void {
    const event = readEvent(transaction.request).name;
    if (event === 'refer' && this.#refer !== null) this.#refer.onNotify(transaction);
    else transaction.respond(createResponse(transaction.request, event === 'refer' ? 481 : 489));
  }

  #onReinvite(invite: ServerTransaction): void {
    const { request } = invite;
    if (this.#renegotiation.pending) invite.respond(createResponse(request, 491));
    else if (this.#pending !== null) {
      invite.respond(createResponse(request, 500, { headers: [['Retry-After', '1']] }));
    } else if (this.#rejectBriefInterval(invite)) return;
    else {
      const warning = this.answer(invite);
      if (warning === null) this.dialog.refreshTarget(request);
      else invite.respond(createResponse(request, 488, { headers: [['Warning', warning]] }));
    }
  }

  /** @see RFC 3311 §5.2 */
  #onUpdate(update: ServerTransaction): void {
    const { request } = update;
    const offers = request.body.length > 0;
    if (offers && (this.#renegotiation.pending || this.#pending?.expectsAnswer)) {
      update.respond(createResponse(request, 491));
      return;
    }
    if (this.#rejectBriefInterval(update)) return;
    const outcome = offers ? this.media.answer(request.body, update.flow.remote.address) : null;
    if (outcome?.ok === false) {
      update.respond(createResponse(request, 488, { headers: [['Warning', outcome.warning]] }));
      return;
    }
    this.dialog.refreshTarget(request);
    const headers: [string, string][] = [
      ['Contact', contactFor(update.flow, this.dialog.isSecure)],
      ...this.#refresh.onRequest(request),
    ];
    const body = outcome === null ? {} : { body: { type: sdpType, bytes: outcome.answer } };
    update.respond(createResponse(request, 200, { headers, ...body }));
  }

  #rejectBriefInterval(transaction: ServerTransaction): boolean {
    const { minSessionSeconds } = this.#context;
    if (!isTooBrief(transaction.request, minSessionSeconds)) return false;
    const headers: [string, string][] = [['Min-SE', String(minSessionSeconds)]];
    transaction.respond(createResponse(transaction.request, 422, { headers }));
    return true;
  }

  #onInfo(transaction: ServerTransaction): void {
    transaction.respond(createResponse(transaction.request, 200));
    const digit = readDtmfInfo(transaction.request);
    if (digit !== null) this.media.receiveDigit(digit);
  }

  #onRefer(transaction: ServerTransaction): void {
    const refer = IncomingRefer.read(transaction, this.#sender);
    if (refer !== null) this.listener.onRefer(refer);
  }

  #onUnacknowledged(): void {
    this.#pending = null;
    if (!this.#ended)
      this.#end({ cause: 'transport-error', message: 'The answer to an INVITE was never acknowledged.' });
    // A forged INVITE must not cause repeated BYEs to its victim.
    if (this.#context.mayBeForged(this.dialog.flow)) this.#leave();
    else this.#sendBye();
  }

  #fail(message: string): void {
    if (this.#ended) return;
    this.#end({ cause: 'transport-error', message });
    this.#sendByeWhenAllowed();
  }

  #sendByeWhenAllowed(): void {
    if (this.#pending === null) this.#sendBye();
    else this.#byeAfterAck = true;
  }

  #sendBye(): void {
    this.#sender.request(
      'BYE',
      {},
      {
        onResponse: (response: SipResponse) => {
          if (response.status >= 200) this.#leave();
        },
        onFailure: () => this.#leave(),
      },
    );
  }

  #end(end: SessionEnd): void {
    if (this.#ended) return;
    this.#stop();
    this.#refer?.fail('The call is over.');
    this.#reportEnd(end);
  }

  #stop(): void {
    this.#ended = true;
    this.#renegotiation.stop();
    this.#refresh.stop();
  }

  #reportEnd(end: SessionEnd): void {
    this.media.close();
    this.listener.onEnd(end);
  }

  #leave(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.listener.onGone(this);
  }
}
