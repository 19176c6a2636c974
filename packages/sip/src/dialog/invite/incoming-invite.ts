import type { DigestServer, PasswordLookup } from '../../auth/digest-server.ts';
import type { Envelope } from '../../message/envelope.ts';
import type { SipRequest } from '../../message/message.ts';
import { createResponse } from '../../message/response.ts';
import type { ServerTransaction } from '../../transaction/server-transaction.ts';
import type { Flow } from '../../transport/flow.ts';
import { describeCapabilities, rejectMethod } from '../capabilities.ts';
import { contactFor } from '../contact.ts';
import { Dialog } from '../dialog.ts';
import type { DialogUser } from '../dialog-user.ts';
import type { IncomingRefer } from '../session/incoming-refer.ts';
import { ReliableProvisional } from '../session/reliable-provisional.ts';
import { Session, type SessionEnd } from '../session/session.ts';
import type { SessionContext } from '../session/session-context.ts';
import type { SessionMedia } from '../session/session-media.ts';
import { requires } from '../supported.ts';

/** Reason for which an incoming call has ended. */
export type InviteEnd = SessionEnd | { readonly cause: 'canceled' };

/** Callbacks of an incoming call. */
export interface InviteListener {
  /** The caller has acknowledged the 2xx to its INVITE, or later to a re-INVITE. */
  onConfirmed(): void;
  /** Called exactly once. */
  onEnd(end: InviteEnd): void;
  /** The caller requests a transfer; without a listener it is rejected with 603. */
  onRefer?(refer: IncomingRefer): void;
}

/** Callbacks of an incoming INVITE to the user agent. */
interface InviteOwner {
  onAnswered(session: Session): void;
  onSessionGone(session: Session): void;
  /** The INVITE was answered or rejected. */
  onSettled(invite: IncomingInvite): void;
}

/** An incoming call before its answer. */
export class IncomingInvite implements DialogUser {
  readonly dialog: Dialog;
  readonly #context: SessionContext;
  readonly #transaction: ServerTransaction;
  readonly #localTag: string;
  readonly #owner: InviteOwner;
  #provisional: ReliableProvisional | null = null;
  #listener: InviteListener | null = null;
  #session: Session | null = null;
  #settled = false;

  constructor(context: SessionContext, transaction: ServerTransaction, localTag: string, owner: InviteOwner) {
    const { request, envelope, flow } = transaction;
    this.dialog = Dialog.asServer(request, envelope, flow, localTag);
    this.#context = context;
    this.#transaction = transaction;
    this.#localTag = localTag;
    this.#owner = owner;
  }

  get request(): SipRequest {
    return this.#transaction.request;
  }

  get envelope(): Envelope {
    return this.#transaction.envelope;
  }

  get flow(): Flow {
    return this.#transaction.flow;
  }

  /** The session of the answered call; null before the answer. */
  get session(): Session | null {
    return this.#session;
  }

  /** True once the INVITE was answered, rejected or canceled. */
  get isSettled(): boolean {
    return this.#settled;
  }

  listen(listener: InviteListener): void {
    this.#listener = listener;
  }

  /**
   * Verifies the credentials of the caller. Without valid ones rejects the INVITE with a challenge, which the caller
   * answers with a new INVITE. Must be called before the call rings.
   * @returns the user name; null if this INVITE was rejected or canceled
   * @see RFC 3261 §22.2
   */
  async requireDigest(server: DigestServer, passwordOf: PasswordLookup): Promise<string | null> {
    const verdict = await server.verify(this.request, passwordOf);
    if (this.#settled) return null;
    if (verdict.type === 'authenticated') return verdict.username;
    this.reject(401, server.challenge(verdict.type === 'stale'));
    return null;
  }

  /** Sends 180 Ringing, reliably if the caller requires it (RFC 3262). */
  ring(): void {
    if (this.#settled) return;
    const headers: [string, string][] = [['Contact', contactFor(this.flow, this.dialog.isSecure)]];
    for (const route of this.request.headers.all('Record-Route')) headers.push(['Record-Route', route]);
    const ringing = createResponse(this.request, 180, { toTag: this.#localTag, headers });
    this.#context.dialogs.add(this);
    if (requires(this.request, '100rel')) {
      this.#provisional ??= new ReliableProvisional(this.#context, this.#transaction, () => this.reject(504));
      this.#provisional.send(ringing);
    } else this.#transaction.respond(ringing);
  }

  /** Rejects the call; does nothing once it was answered or has ended. */
  reject(status: number, headers: readonly (readonly [string, string])[] = []): void {
    if (this.#settled) return;
    this.#refuse(status, headers);
    this.#listener?.onEnd({ cause: 'local-hangup' });
  }

  /** Handles a CANCEL of the caller. */
  cancel(): void {
    if (this.#settled) return;
    this.#refuse(487, []);
    this.#listener?.onEnd({ cause: 'canceled' });
  }

  /** Answers the call, or rejects it with 488 if the media do not fit the offer. */
  accept(media: SessionMedia): void {
    if (this.#settled) return;
    const session = new Session(
      this.#context,
      {
        dialog: this.dialog,
        media,
        peer: this.request,
        caller: false,
        digest: null,
        ...(this.#provisional !== null && { provisional: this.#provisional }),
      },
      {
        onConfirmed: () => this.#listener?.onConfirmed(),
        onEnd: (end) => this.#listener?.onEnd(end),
        onGone: (gone) => this.#owner.onSessionGone(gone),
        onReplaced: (by) => {
          this.#session = by;
        },
        onRefer: (refer) => {
          if (this.#listener?.onRefer === undefined) refer.reject();
          else this.#listener.onRefer(refer);
        },
      },
    );
    const warning = session.answer(this.#transaction);
    if (warning !== null) {
      media.close();
      this.reject(488, [['Warning', warning]]);
      return;
    }
    this.#session = session;
    this.#settle();
    this.#owner.onAnswered(session);
  }

  hangup(): void {
    if (this.#session === null) this.reject(603);
    else this.#session.hangup();
  }

  /** Handles requests within the early dialog. */
  onRequest(transaction: ServerTransaction): void {
    const { request, envelope } = transaction;
    const toTag = this.#localTag;
    if (!this.dialog.acceptCSeq(envelope.cseq.number)) {
      transaction.respond(createResponse(request, 500, { reason: 'CSeq Out Of Order' }));
    } else if (request.method === 'PRACK' && this.#provisional !== null) this.#provisional.onPrack(transaction);
    else if (request.method === 'BYE') {
      transaction.respond(createResponse(request, 200));
      this.cancel();
    } else if (request.method === 'UPDATE') this.#onUpdate(transaction);
    else if (request.method === 'OPTIONS') transaction.respond(describeCapabilities(request, toTag));
    else if (request.method === 'INFO') transaction.respond(createResponse(request, 200));
    else if (request.method === 'INVITE') {
      transaction.respond(createResponse(request, 500, { headers: [['Retry-After', '1']] }));
    } else if (['PRACK', 'NOTIFY', 'REFER'].includes(request.method)) transaction.respond(createResponse(request, 481));
    else transaction.respond(rejectMethod(request, toTag));
  }

  /** Does nothing: the transaction handles the ACK of a rejection. */
  onAck(): void {}

  /** Handles an UPDATE. Rejects an offer in it, because the INVITE is not answered yet. @see RFC 3311 §5.2 */
  #onUpdate(transaction: ServerTransaction): void {
    const { request } = transaction;
    if (request.body.length > 0) {
      transaction.respond(createResponse(request, 500, { headers: [['Retry-After', '1']] }));
      return;
    }
    this.dialog.refreshTarget(request);
    transaction.respond(
      createResponse(request, 200, { headers: [['Contact', contactFor(transaction.flow, this.dialog.isSecure)]] }),
    );
  }

  #refuse(status: number, headers: readonly (readonly [string, string])[]): void {
    this.#settle();
    this.#transaction.respond(createResponse(this.request, status, { toTag: this.#localTag, headers }));
  }

  #settle(): void {
    this.#settled = true;
    this.#provisional?.stop();
    this.#context.dialogs.remove(this);
    this.#owner.onSettled(this);
  }
}
