import { isIPv4 } from 'node:net';
import type { DigestClient } from '../auth/digest-client.ts';
import { sendAuthenticated } from '../auth/send-authenticated.ts';
import { SipHeaders } from '../message/headers.ts';
import type { SipRequest } from '../message/message.ts';
import type { ClientTransaction, ClientTransactionUser } from '../transaction/client-transaction.ts';
import type { Flow } from '../transport/flow.ts';
import type { Dialog } from './dialog.ts';
import type { SessionContext } from './session-context.ts';

export interface DialogRequestOptions {
  readonly headers?: Iterable<readonly [string, string]>;
  readonly body?: { readonly type: string; readonly bytes: Uint8Array };
  /** Told of each transaction: there is one more for each challenge that is answered. */
  readonly onSent?: (transaction: ClientTransaction) => void;
}

/** @see RFC 1918, RFC 3927, RFC 6598 */
function isPrivate(address: string): boolean {
  return /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(
    address,
  );
}

/** The way of our requests within a dialog. */
export class DialogLink {
  readonly dialog: Dialog;
  readonly #context: SessionContext;
  readonly #digest: DigestClient | null;

  constructor(context: SessionContext, dialog: Dialog, digest: DigestClient | null) {
    this.#context = context;
    this.dialog = dialog;
    this.#digest = digest;
  }

  /** The connection of the call while it stands, else to where the peer says it is. */
  get flow(): Flow | null {
    const { flow, target } = this.dialog;
    if (flow.reliable && flow.open) return flow;
    if (target === null) return flow;
    // A peer behind NAT that tells its inner address is where its packets come from.
    const inner = isIPv4(target.address) && isPrivate(target.address) && !isPrivate(flow.remote.address);
    return inner ? flow : this.#context.flowTo(target);
  }

  /** Sends a new request; what came of it is told to `user`, also that there is no way to the peer. */
  request(method: string, options: DialogRequestOptions, user: ClientTransactionUser): void {
    const { dialog } = this;
    const bare = dialog.createRequest(method);
    const headers = SipHeaders.of([
      ...bare.headers.entries(),
      ['User-Agent', this.#context.userAgent],
      ...(options.headers ?? []),
    ]);
    if (options.body !== undefined) headers.add('Content-Type', options.body.type);
    const request = { ...bare, headers, body: options.body?.bytes ?? bare.body };
    const { flow } = this;
    if (flow === null) user.onFailure('transport', 'There is no way to where the far end says it is.');
    else {
      const digest = this.#digest;
      const nextCSeq = () => dialog.nextCSeq();
      const onSent = (transaction: ClientTransaction) => options.onSent?.(transaction);
      sendAuthenticated(this.#context, { request, flow, digest, nextCSeq, onSent }, user);
    }
  }

  /**
   * Sends the ACK for a 2xx to our INVITE, with the credentials of that.
   * @returns what must be called again whenever the 2xx comes again; null when there is no way to the peer
   * @see RFC 3261 §13.2.2.4, §22.1
   */
  acknowledge(inviteCSeq: number, invite: SipRequest): (() => void) | null {
    const { flow } = this;
    if (flow === null) return null;
    const ack = this.dialog.createAck(inviteCSeq);
    for (const field of ['Authorization', 'Proxy-Authorization']) {
      for (const value of invite.headers.all(field)) ack.headers.add(field, value);
    }
    const bytes = this.#context.prepareAck(ack, flow);
    flow.send(bytes);
    return () => flow.send(bytes);
  }
}
