import type { Envelope } from '../message/envelope.ts';
import type { SipRequest } from '../message/message.ts';
import { createResponse } from '../message/response.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import type { Flow } from '../transport/flow.ts';
import { contactFor } from './contact.ts';
import { Dialog } from './dialog.ts';
import { Session, type SessionEnd } from './session.ts';
import type { SessionContext } from './session-context.ts';
import type { SessionMedia } from './session-media.ts';

export type InviteEnd = SessionEnd | { readonly cause: 'canceled' };

export interface InviteListener {
  onConfirmed(): void;
  /** Exactly once. */
  onEnd(end: InviteEnd): void;
}

/** What the user agent wants to know of an invitation. */
export interface InviteOwner {
  onAnswered(session: Session): void;
  onSessionGone(session: Session): void;
  /** It has been answered or refused. */
  onSettled(invite: IncomingInvite): void;
}

/** A call that rings here: nothing has been agreed on yet. */
export class IncomingInvite {
  readonly #context: SessionContext;
  readonly #transaction: ServerTransaction;
  readonly #localTag: string;
  readonly #owner: InviteOwner;
  #listener: InviteListener | null = null;
  #session: Session | null = null;
  #settled = false;

  constructor(context: SessionContext, transaction: ServerTransaction, localTag: string, owner: InviteOwner) {
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

  listen(listener: InviteListener): void {
    this.#listener = listener;
  }

  ring(): void {
    if (this.#settled) return;
    const headers: [string, string][] = [['Contact', contactFor(this.flow)]];
    for (const route of this.request.headers.all('Record-Route')) headers.push(['Record-Route', route]);
    this.#transaction.respond(createResponse(this.request, 180, { toTag: this.#localTag, headers }));
  }

  /** Refuses the call; nothing when it has been answered or is over. */
  reject(status: number, headers: readonly (readonly [string, string])[] = []): void {
    if (this.#settled) return;
    this.#refuse(status, headers);
    this.#listener?.onEnd({ cause: 'local-hangup' });
  }

  /** The caller has given up. */
  cancel(): void {
    if (this.#settled) return;
    this.#refuse(487, []);
    this.#listener?.onEnd({ cause: 'canceled' });
  }

  /** Answers the call, or refuses it with 488 where the media do not fit the offer. */
  accept(media: SessionMedia): void {
    if (this.#settled) return;
    const dialog = Dialog.asServer(this.request, this.envelope, this.flow, this.#localTag);
    const session: Session = new Session(this.#context, dialog, media, {
      onConfirmed: () => this.#listener?.onConfirmed(),
      onEnd: (end) => this.#listener?.onEnd(end),
      onGone: () => this.#owner.onSessionGone(session),
    });
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

  #refuse(status: number, headers: readonly (readonly [string, string])[]): void {
    this.#settle();
    this.#transaction.respond(createResponse(this.request, status, { toTag: this.#localTag, headers }));
  }

  #settle(): void {
    this.#settled = true;
    this.#owner.onSettled(this);
  }
}
