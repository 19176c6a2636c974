import type { Envelope } from '../message/envelope.ts';
import { SipHeaders } from '../message/headers.ts';
import { noBody, type SipRequest, type SipResponse } from '../message/message.ts';
import { formatNameAddr, type NameAddr, withTag } from '../message/name-addr.ts';
import type { ClientTransaction } from '../transaction/client-transaction.ts';
import type { Flow } from '../transport/flow.ts';
import { allowedMethods } from './capabilities.ts';
import { contactFor } from './contact.ts';
import { Dialog } from './dialog.ts';
import { Session, type SessionEnd } from './session.ts';
import type { SessionContext } from './session-context.ts';
import { type SessionMedia, sdpType } from './session-media.ts';

export interface OutgoingInviteOptions {
  /** The Request-URI. */
  readonly uri: string;
  readonly from: NameAddr;
  readonly to: NameAddr;
  readonly flow: Flow;
  readonly media: SessionMedia;
  readonly headers?: Iterable<readonly [string, string]> | undefined;
}

export type OutgoingEnd = SessionEnd | { readonly cause: 'refused'; readonly status: number; readonly reason: string };

export interface OutgoingListener {
  /** A provisional response, such as 180. */
  onProgress(status: number): void;
  onAnswered(): void;
  /** Exactly once, answered or not. */
  onEnd(end: OutgoingEnd): void;
}

/** What the user agent wants to know of a call of ours. */
export interface OutgoingOwner {
  onAnswered(session: Session): void;
  onSessionGone(session: Session): void;
  /** It has been answered, or is over without an answer. */
  onSettled(invite: OutgoingInvite): void;
}

/** A call that we make, up to its answer. @see RFC 3261 §13.2 */
export class OutgoingInvite {
  readonly #context: SessionContext;
  readonly #options: OutgoingInviteOptions;
  readonly #owner: OutgoingOwner;
  readonly #listener: OutgoingListener;
  readonly #transaction: ClientTransaction;
  /** By To tag: a 2xx that comes again is acknowledged again with the same bytes. */
  readonly #acks = new Map<string, { readonly bytes: Uint8Array; readonly flow: Flow }>();
  #session: Session | null = null;
  #ringing = false;
  #canceled = false;
  #settled = false;

  constructor(
    context: SessionContext,
    options: OutgoingInviteOptions,
    owner: OutgoingOwner,
    listener: OutgoingListener,
  ) {
    this.#context = context;
    this.#options = options;
    this.#owner = owner;
    this.#listener = listener;
    this.#transaction = context.request(this.#createInvite(), options.flow, {
      onResponse: (response, envelope) => this.#onResponse(response, envelope),
      onFailure: (cause, message) =>
        this.#fail(
          cause === 'timeout'
            ? { cause: 'refused', status: 408, reason: message }
            : { cause: 'transport-error', message },
        ),
    });
  }

  /** Gives the call up, or hangs it up if it has been answered. */
  hangup(): void {
    if (this.#session !== null) this.#session.hangup();
    else if (!this.#canceled && !this.#settled) {
      this.#canceled = true;
      // Before a provisional response there is nothing at the peer that a CANCEL could meet (RFC 3261 §9.1).
      if (this.#ringing) this.#sendCancel();
    }
  }

  /** Forgets the call at once, without a word to the peer. */
  destroy(): void {
    this.#session?.destroy();
    this.#fail({ cause: 'local-hangup' });
  }

  #createInvite(): SipRequest {
    const { uri, from, to, flow, media } = this.#options;
    const random = (count: number): string => Buffer.from(this.#context.random(count)).toString('hex');
    const headers = SipHeaders.of([
      ['Max-Forwards', '70'],
      ['From', formatNameAddr(withTag(from, random(6)))],
      ['To', formatNameAddr(to)],
      ['Call-ID', random(12)],
      ['CSeq', '1 INVITE'],
      ['Contact', contactFor(flow)],
      ['Allow', allowedMethods],
      ['User-Agent', this.#context.userAgent],
      ...(this.#options.headers ?? []),
      ['Content-Type', sdpType],
    ]);
    return { kind: 'request', method: 'INVITE', uri, headers, body: media.offer() };
  }

  #onResponse(response: SipResponse, envelope: Envelope): void {
    if (response.status < 200) this.#onProvisional(response);
    else if (response.status < 300) this.#onSuccess(response, envelope);
    else if (this.#canceled) this.#fail({ cause: 'local-hangup' });
    else this.#fail({ cause: 'refused', status: response.status, reason: response.reason });
  }

  #onProvisional(response: SipResponse): void {
    const first = !this.#ringing;
    this.#ringing = true;
    if (first && this.#canceled) this.#sendCancel();
    if (response.status > 100 && !this.#settled) this.#listener.onProgress(response.status);
  }

  #onSuccess(response: SipResponse, envelope: Envelope): void {
    const known = this.#acks.get(envelope.toTag);
    if (known !== undefined) {
      known.flow.send(known.bytes);
      return;
    }
    const { flow, media } = this.#options;
    const dialog = Dialog.asClient(this.#transaction.request, response, envelope, flow);
    // Only the first answer is the call; another one comes from a fork, and is acknowledged and hung up.
    const wanted = !this.#settled;
    const session: Session = new Session(this.#context, dialog, wanted ? media : noMedia, {
      onConfirmed: () => {},
      onEnd: (end) => {
        if (this.#session === session) this.#listener.onEnd(end);
      },
      onGone: () => this.#owner.onSessionGone(session),
    });
    this.#acknowledge(session, envelope);
    this.#owner.onAnswered(session);
    if (!wanted) {
      session.hangup();
      return;
    }
    this.#session = session;
    this.#settle();
    if (this.#canceled) session.hangup();
    else if (media.accept(response.body)) this.#listener.onAnswered();
    else {
      this.#session = null;
      session.hangup();
      this.#listener.onEnd({ cause: 'refused', status: 488, reason: 'The answer does not fit the offer.' });
    }
  }

  #acknowledge(session: Session, envelope: Envelope): void {
    const flow = session.flow;
    if (flow === null) return;
    const bytes = this.#context.prepareAck(session.dialog.createAck(envelope.cseq.number), flow);
    this.#acks.set(envelope.toTag, { bytes, flow });
    flow.send(bytes);
  }

  /** @see RFC 3261 §9.1 */
  #sendCancel(): void {
    const { request, flow } = this.#transaction;
    const branch = /;branch=([^;,\s]+)/.exec(request.headers.get('Via') ?? '')?.[1];
    const headers = SipHeaders.of([['Max-Forwards', '70']]);
    for (const name of ['From', 'To', 'Call-ID']) headers.add(name, request.headers.get(name) ?? '');
    headers.add('CSeq', '1 CANCEL');
    const cancel: SipRequest = { kind: 'request', method: 'CANCEL', uri: request.uri, headers, body: noBody };
    this.#context.request(cancel, flow, { onResponse() {}, onFailure() {} }, branch);
  }

  #fail(end: OutgoingEnd): void {
    if (this.#settled) return;
    this.#settle();
    this.#options.media.close();
    this.#listener.onEnd(end);
  }

  #settle(): void {
    this.#settled = true;
    this.#owner.onSettled(this);
  }
}

/** For an answer that is hung up at once. */
const noMedia: SessionMedia = {
  offer: () => noBody,
  answer: () => ({ ok: false, warning: '399 - "The call is over"' }),
  accept: () => false,
  close() {},
};
