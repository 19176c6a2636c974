import { TimerSlot } from '@va/media';
import { DigestClient, type DigestCredentials } from '../../auth/digest-client.ts';
import type { Envelope } from '../../message/envelope.ts';
import { SipHeaders } from '../../message/headers.ts';
import { noBody, type SipRequest, type SipResponse } from '../../message/message.ts';
import { formatNameAddr, type NameAddr, withTag } from '../../message/name-addr.ts';
import { readRetryAfterMs } from '../../message/retry-after.ts';
import { redirectContacts } from '../../redirect-targets.ts';
import type { ClientTransaction } from '../../transaction/client-transaction.ts';
import type { Flow } from '../../transport/flow.ts';
import { transactionLifeMs } from '../../transport/timers.ts';
import { allowedMethods } from '../capabilities.ts';
import { contactFor, isSips } from '../contact.ts';
import { Dialog } from '../dialog.ts';
import { DialogSender } from '../dialog-sender.ts';
import { sendAuthenticated } from '../send-authenticated.ts';
import { contentType } from '../session/dtmf-info.ts';
import type { IncomingRefer } from '../session/incoming-refer.ts';
import { formatReplaces } from '../session/replaces.ts';
import { Session, type SessionEnd } from '../session/session.ts';
import type { SessionContext } from '../session/session-context.ts';
import { readMinSe } from '../session/session-expires.ts';
import { type SessionMedia, sdpType } from '../session/session-media.ts';
import { supported } from '../supported.ts';
import { EarlyDialog } from './early-dialog.ts';

/** Target and contents of an outgoing INVITE. */
export interface OutgoingInviteOptions {
  /** The Request-URI. */
  readonly uri: string;
  readonly from: NameAddr;
  readonly to: NameAddr;
  readonly flow: Flow;
  readonly media: SessionMedia;
  /** Additional header fields, such as P-Asserted-Identity. */
  readonly headers?: Iterable<readonly [string, string]> | undefined;
  /** Credentials for challenges (401, 407); without them a challenge is a rejection. */
  readonly credentials?: DigestCredentials | undefined;
  /** A local call at the same peer that this one is to replace there. @see RFC 3891 */
  readonly replaces?: Session | undefined;
}

/** Reason for which an outgoing call has ended; `refused` only before its answer. */
export type OutgoingEnd =
  | SessionEnd
  | {
      readonly cause: 'refused';
      readonly status: number;
      readonly reason: string;
      /** The delay that the peer asked for in Retry-After, if any. */
      readonly retryAfterMs?: number;
      /** Alternative targets of a redirection (3xx), best first. */
      readonly contacts?: readonly string[];
    };

/** Callbacks of an outgoing call. */
export interface OutgoingListener {
  /** The first provisional response has arrived, including a plain 100. */
  onTrying?(): void;
  /** A provisional response, such as 180. */
  onProgress(status: number): void;
  /** Media carry audio before the answer, such as a ringing tone or an announcement. @see RFC 3960 */
  onEarlyMedia?(): void;
  /** The peer has answered, and its answer fits the offer. */
  onAnswered(): void;
  /** Called exactly once, answered or not. */
  onEnd(end: OutgoingEnd): void;
  /** The peer requests a transfer; without a listener it is rejected with 603. */
  onRefer?(refer: IncomingRefer): void;
}

/** Callbacks of an outgoing INVITE to the user agent. */
interface OutgoingOwner {
  onAnswered(session: Session): void;
  onSessionGone(session: Session): void;
  /** The INVITE was answered, or has ended without an answer. */
  onSettled(invite: OutgoingInvite): void;
}

/** An outgoing call up to its answer. @see RFC 3261 §13.2 */
export class OutgoingInvite {
  readonly callId: string;
  readonly #context: SessionContext;
  readonly #options: OutgoingInviteOptions;
  readonly #owner: OutgoingOwner;
  readonly #listener: OutgoingListener;
  readonly #digest: DigestClient | null;
  readonly #afterCancel: TimerSlot;
  /** By To tag. */
  readonly #early = new Map<string, EarlyDialog>();
  /** Functions that send the ACK again, by To tag: a retransmitted 2xx is acknowledged with the same bytes. */
  readonly #acks = new Map<string, () => void>();
  #transaction: ClientTransaction | null = null;
  #cseq = 1;
  #session: Session | null = null;
  #ringing = false;
  #canceled = false;
  #settled = false;
  #intervalRaised = false;

  constructor(
    context: SessionContext,
    options: OutgoingInviteOptions,
    owner: OutgoingOwner,
    listener: OutgoingListener,
  ) {
    const { credentials } = options;
    this.#context = context;
    this.#options = options;
    this.#owner = owner;
    this.#listener = listener;
    this.#digest = credentials === undefined ? null : new DigestClient(credentials, context.random);
    this.#afterCancel = new TimerSlot(context.clock);
    this.callId = this.#token(12);
    this.#send(this.#createInvite());
  }

  /** The session of the answered call; null before the answer. */
  get session(): Session | null {
    return this.#session;
  }

  /** Cancels the call, or hangs up if it was answered. */
  hangup(): void {
    if (this.#session !== null) this.#session.hangup();
    else if (!this.#canceled && !this.#settled) {
      this.#canceled = true;
      // Before a provisional response, the peer has no transaction that a CANCEL could match (RFC 3261 §9.1).
      if (this.#ringing) this.#sendCancel();
    }
  }

  /** Discards the call without a message to the peer. */
  destroy(): void {
    this.#session?.destroy();
    this.#fail({ cause: 'local-hangup' });
  }

  #token(bytes: number): string {
    return Buffer.from(this.#context.random(bytes)).toString('hex');
  }

  #createInvite(): SipRequest {
    const { uri, from, to, flow, media, replaces } = this.#options;
    const { sessionSeconds, minSessionSeconds, userAgent } = this.#context;
    const headers = SipHeaders.of([
      ['Max-Forwards', '70'],
      ['From', formatNameAddr(withTag(from, this.#token(6)))],
      ['To', formatNameAddr(to)],
      ['Call-ID', this.callId],
      ['CSeq', `${this.#cseq} INVITE`],
      ['Contact', contactFor(flow, isSips(uri))],
      ['Allow', allowedMethods],
      supported,
      ['User-Agent', userAgent],
      ...(this.#options.headers ?? []),
    ]);
    if (sessionSeconds > 0) headers.add('Session-Expires', String(Math.max(sessionSeconds, minSessionSeconds)));
    if (sessionSeconds > 0) headers.add('Min-SE', String(minSessionSeconds));
    if (replaces !== undefined) headers.add('Replaces', formatReplaces(replaces.dialog)).add('Require', 'replaces');
    headers.add('Content-Type', sdpType);
    return { kind: 'request', method: 'INVITE', uri, headers, body: media.offer() };
  }

  #send(request: SipRequest): void {
    const attempt = {
      request,
      flow: this.#options.flow,
      digest: this.#digest,
      nextCSeq: () => this.#nextCSeq(),
      shouldRetry: () => !this.#canceled && !this.#settled,
      onSent: (transaction: ClientTransaction) => {
        this.#transaction = transaction;
        this.#ringing = false;
      },
    };
    sendAuthenticated(this.#context, attempt, {
      onResponse: (response, envelope) => this.#onResponse(response, envelope),
      // Timer B fires only before the first provisional response: the peer does not respond at all (RFC 3261
      // §17.1.1.2).
      onFailure: (_, message) =>
        this.#fail(this.#canceled ? { cause: 'local-hangup' } : { cause: 'transport-error', message }),
    });
  }

  #nextCSeq(): number {
    this.#cseq += 1;
    return this.#cseq;
  }

  #onResponse(response: SipResponse, envelope: Envelope): void {
    if (response.status < 200) this.#onProvisional(response, envelope);
    else if (response.status < 300) this.#onSuccess(response, envelope);
    else if (this.#canceled) this.#fail({ cause: 'local-hangup' });
    else if (response.status === 422 && !this.#intervalRaised) this.#retryWithLongerInterval(response);
    else this.#refused(response);
  }

  #refused(response: SipResponse): void {
    const { status, reason } = response;
    const retryAfterMs = readRetryAfterMs(response);
    const contacts = status < 400 ? redirectContacts(response) : [];
    this.#fail({
      cause: 'refused',
      status,
      reason,
      ...(retryAfterMs !== null && { retryAfterMs }),
      ...(contacts.length > 0 && { contacts }),
    });
  }

  /** Sends the INVITE again with the session interval that a 422 requires. @see RFC 4028 §7.3 */
  #retryWithLongerInterval(response: SipResponse): void {
    const sent = this.#transaction?.request;
    const seconds = readMinSe(response);
    if (sent === undefined || seconds === null) {
      this.#refused(response);
      return;
    }
    this.#intervalRaised = true;
    const headers = SipHeaders.of(sent.headers.entries()).remove('Via').set('CSeq', `${this.#nextCSeq()} INVITE`);
    headers.set('Session-Expires', String(Math.max(seconds, this.#context.sessionSeconds)));
    headers.set('Min-SE', String(Math.max(seconds, this.#context.minSessionSeconds)));
    this.#send({ ...sent, headers });
  }

  #onProvisional(response: SipResponse, envelope: Envelope): void {
    const first = !this.#ringing;
    this.#ringing = true;
    if (first) this.#listener.onTrying?.();
    if (first && this.#canceled) this.#sendCancel();
    if (response.status === 100 || this.#settled) return;
    const early = envelope.toTag === '' ? null : this.#earlyDialog(response, envelope);
    if (early?.acknowledges(response, envelope.cseq.number) === false) return;
    this.#listener.onProgress(response.status);
    if (early === null || this.#settled || !holdsDescription(response)) return;
    if (this.#options.media.accept(response.body, this.#options.flow.remote.address)) {
      early.answer = response.body;
      this.#listener.onEarlyMedia?.();
    }
  }

  #earlyDialog(response: SipResponse, envelope: Envelope): EarlyDialog {
    const known = this.#early.get(envelope.toTag);
    if (known !== undefined) return known;
    const early = new EarlyDialog(
      new DialogSender(this.#context, this.#createDialog(response, envelope), this.#digest),
      this.#options.media,
    );
    this.#early.set(envelope.toTag, early);
    this.#context.dialogs.add(early);
    return early;
  }

  #createDialog(response: SipResponse, envelope: Envelope): Dialog {
    return Dialog.asClient(this.#options.uri, response, envelope, this.#options.flow);
  }

  #onSuccess(response: SipResponse, envelope: Envelope): void {
    const again = this.#acks.get(envelope.toTag);
    if (again !== undefined) {
      again();
      return;
    }
    // Only the first 2xx establishes the call; another one comes from a fork and is acknowledged and hung up.
    const isFirst = !this.#settled;
    const early = this.#early.get(envelope.toTag);
    early?.dialog.confirm(response);
    const dialog = early?.dialog ?? this.#createDialog(response, envelope);
    const session = this.#createSession(dialog, response, isFirst);
    const sender = new DialogSender(this.#context, dialog, this.#digest);
    const invite = this.#transaction?.request;
    const repeat = invite === undefined ? null : sender.acknowledge(envelope.cseq.number, invite);
    this.#acks.set(envelope.toTag, () => repeat?.());
    this.#owner.onAnswered(session);
    if (!isFirst) {
      session.hangup();
      return;
    }
    this.#session = session;
    this.#settle();
    // A peer that sent its answer in a provisional response need not repeat it.
    const answer = response.body.length > 0 ? response.body : (early?.answer ?? noBody);
    if (this.#canceled) session.hangup();
    else if (this.#options.media.accept(answer, this.#options.flow.remote.address)) this.#listener.onAnswered();
    else {
      this.#session = null;
      session.hangup();
      this.#listener.onEnd({ cause: 'refused', status: 488, reason: 'The answer does not fit the offer.' });
    }
  }

  #createSession(dialog: Dialog, peer: SipResponse, isFirst: boolean): Session {
    const media = isFirst ? this.#options.media : noMedia;
    const options = { dialog, media, peer, caller: true, digest: this.#digest };
    return new Session(this.#context, options, {
      onConfirmed() {},
      onEnd: (end) => {
        if (isFirst && this.#session !== null) this.#listener.onEnd(end);
      },
      onGone: (gone) => this.#owner.onSessionGone(gone),
      onReplaced: (by) => {
        this.#session = by;
      },
      onRefer: (refer) => {
        if (this.#listener.onRefer === undefined) refer.reject();
        else this.#listener.onRefer(refer);
      },
    });
  }

  /** @see RFC 3261 §9.1 */
  #sendCancel(): void {
    if (this.#transaction === null) return;
    const { request, flow } = this.#transaction;
    const branch = /;branch=([^;,\s]+)/.exec(request.headers.get('Via') ?? '')?.[1];
    const headers = SipHeaders.of([['Max-Forwards', '70']]);
    for (const name of ['From', 'To', 'Call-ID']) headers.add(name, request.headers.get(name) ?? '');
    headers.add('CSeq', `${this.#cseq} CANCEL`);
    for (const route of request.headers.all('Route')) headers.add('Route', route);
    const cancel: SipRequest = { kind: 'request', method: 'CANCEL', uri: request.uri, headers, body: noBody };
    this.#context.request(cancel, flow, { onResponse() {}, onFailure() {} }, branch);
    // RFC 2543 peers never respond to an INVITE that was canceled.
    this.#afterCancel.set(transactionLifeMs(this.#context.timers), () => this.#fail({ cause: 'local-hangup' }));
  }

  #fail(end: OutgoingEnd): void {
    if (this.#settled) return;
    this.#settle();
    this.#options.media.close();
    this.#listener.onEnd(end);
  }

  #settle(): void {
    this.#settled = true;
    this.#afterCancel.clear();
    for (const early of this.#early.values()) this.#context.dialogs.remove(early);
    this.#owner.onSettled(this);
  }
}

function holdsDescription(response: SipResponse): boolean {
  return response.body.length > 0 && contentType(response) === sdpType;
}

/** Media of a session that is hung up at once. */
const noMedia: SessionMedia = {
  offer: () => noBody,
  answer: () => ({ ok: false, warning: '399 - "The call is over"' }),
  accept: () => false,
  hold() {},
  receiveDigit() {},
  close() {},
};
