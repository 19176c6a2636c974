import type { Envelope } from '../message/envelope.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import { createResponse } from '../message/response.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import type { Flow } from '../transport/flow.ts';
import { AcknowledgedAnswer } from './acknowledged-answer.ts';
import { allowedMethods, describeCapabilities, refuseMethod } from './capabilities.ts';
import { contactFor } from './contact.ts';
import type { Dialog } from './dialog.ts';
import type { SessionContext } from './session-context.ts';
import { type SessionMedia, sdpType } from './session-media.ts';

export type SessionEnd =
  | { readonly cause: 'remote-hangup' }
  | { readonly cause: 'local-hangup' }
  | { readonly cause: 'transport-error'; readonly message: string };

export interface SessionListener {
  /** The peer has acknowledged our answer; never called for a session that we have started. */
  onConfirmed(): void;
  /** Exactly once. The media are closed by then. */
  onEnd(end: SessionEnd): void;
  /** Nothing more will be said about the dialog. Exactly once, at or after the end. */
  onGone(): void;
}

/** The answer to an INVITE that waits for its ACK. */
interface PendingAnswer {
  readonly answer: AcknowledgedAnswer;
  /** Our 2xx held the offer, so the ACK must hold the answer. */
  readonly expectsAnswer: boolean;
}

/** An answered call: the dialog, its media, and all that happens within it. */
export class Session {
  readonly dialog: Dialog;
  readonly #context: SessionContext;
  readonly #media: SessionMedia;
  readonly #listener: SessionListener;
  #pending: PendingAnswer | null = null;
  #ended = false;
  #gone = false;
  #byeAfterAck = false;

  constructor(context: SessionContext, dialog: Dialog, media: SessionMedia, listener: SessionListener) {
    this.dialog = dialog;
    this.#context = context;
    this.#media = media;
    this.#listener = listener;
  }

  /**
   * Sends the 2xx to an INVITE and repeats it until it is acknowledged.
   * @returns the Warning of the refusal when the peer's offer cannot be answered; nothing has been sent then.
   */
  answer(invite: ServerTransaction): string | null {
    const { request } = invite;
    const hasOffer = request.body.length > 0;
    const outcome = hasOffer ? this.#media.answer(request.body) : { ok: true as const, answer: this.#media.offer() };
    if (!outcome.ok) return outcome.warning;
    const response = createResponse(request, 200, {
      toTag: this.dialog.localTag,
      headers: [
        ...request.headers.all('Record-Route').map((route): [string, string] => ['Record-Route', route]),
        ['Contact', contactFor(invite.flow)],
        ['Allow', allowedMethods],
        ['Server', this.#context.userAgent],
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
    else if (pending.expectsAnswer && !this.#media.accept(request.body)) {
      this.#end({ cause: 'transport-error', message: 'The ACK held no answer that fits our offer.' });
      this.#sendBye();
    } else if (!this.#ended) this.#listener.onConfirmed();
  }

  onRequest(transaction: ServerTransaction): void {
    const { request, envelope } = transaction;
    const toTag = this.dialog.localTag;
    if (!this.dialog.acceptCSeq(envelope.cseq.number)) {
      transaction.respond(createResponse(request, 500, { reason: 'CSeq Out Of Order' }));
      return;
    }
    if (request.method === 'BYE') this.#onBye(transaction);
    else if (this.#ended) transaction.respond(createResponse(request, 481));
    else if (request.method === 'INVITE') this.#onReinvite(transaction);
    else if (request.method === 'OPTIONS') transaction.respond(describeCapabilities(request, toTag));
    else if (request.method === 'INFO') transaction.respond(createResponse(request, 200));
    else transaction.respond(refuseMethod(request, toTag));
  }

  /** Ends the call with a BYE; one that we have answered waits for the ACK first (RFC 3261 §15). */
  hangup(): void {
    if (this.#ended) return;
    this.#end({ cause: 'local-hangup' });
    if (this.#pending === null) this.#sendBye();
    else this.#byeAfterAck = true;
  }

  /** Forgets the call at once, without a word to the peer. */
  destroy(): void {
    this.#pending?.answer.stop();
    this.#pending = null;
    this.#end({ cause: 'local-hangup' });
    this.#leave();
  }

  /** The way for our requests: the connection of the call while it stands, else to where the peer says it is. */
  get flow(): Flow | null {
    const { flow, target } = this.dialog;
    if (flow.reliable && flow.open) return flow;
    return target === null ? flow : this.#context.flowTo(target);
  }

  #onBye(transaction: ServerTransaction): void {
    transaction.respond(createResponse(transaction.request, 200));
    this.#pending?.answer.stop();
    this.#pending = null;
    this.#end({ cause: 'remote-hangup' });
    this.#leave();
  }

  #onReinvite(invite: ServerTransaction): void {
    const { request } = invite;
    if (this.#pending !== null) {
      invite.respond(createResponse(request, 500, { headers: [['Retry-After', '1']] }));
      return;
    }
    this.dialog.refreshTarget(request);
    const warning = this.answer(invite);
    if (warning !== null) invite.respond(createResponse(request, 488, { headers: [['Warning', warning]] }));
  }

  #onUnacknowledged(): void {
    this.#pending = null;
    this.#end({ cause: 'transport-error', message: 'The answer to an INVITE was never acknowledged.' });
    this.#sendBye();
  }

  #sendBye(): void {
    const bye = this.dialog.createRequest('BYE');
    const flow = this.flow;
    if (flow === null) {
      this.#leave();
      return;
    }
    bye.headers.add('User-Agent', this.#context.userAgent);
    this.#context.request(bye, flow, {
      onResponse: (response: SipResponse) => {
        if (response.status >= 200) this.#leave();
      },
      onFailure: () => this.#leave(),
    });
  }

  #end(end: SessionEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#media.close();
    this.#listener.onEnd(end);
  }

  #leave(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#listener.onGone();
  }
}
