import { isIP, isIPv4 } from 'node:net';
import type { DigestClient } from '../auth/digest-client.ts';
import { SipHeaders } from '../message/headers.ts';
import type { SipRequest } from '../message/message.ts';
import type { ClientTransaction, ClientTransactionUser } from '../transaction/client-transaction.ts';
import type { Flow } from '../transport/flow.ts';
import type { Target } from '../transport/transport-layer.ts';
import type { Dialog } from './dialog.ts';
import { sendAuthenticated } from './send-authenticated.ts';
import type { SessionContext } from './session/session-context.ts';

export interface DialogRequestOptions {
  readonly headers?: Iterable<readonly [string, string]>;
  readonly body?: { readonly type: string; readonly bytes: Uint8Array };
  /** Called with each transaction: answering a challenge starts another one. */
  readonly onSent?: (transaction: ClientTransaction) => void;
}

/** @see RFC 1918, RFC 3927, RFC 6598 */
function isPrivate(address: string): boolean {
  return /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(
    address,
  );
}

interface RequestRoute {
  /** Null if no datagram socket of the target's address family is open. */
  readonly flow: Flow | null;
  /** Target found by a DNS lookup; null without one. */
  readonly target: Target | null;
}

/** Routes local requests within a dialog. */
export class DialogSender {
  readonly dialog: Dialog;
  readonly #context: SessionContext;
  readonly #digest: DigestClient | null;

  constructor(context: SessionContext, dialog: Dialog, digest: DigestClient | null) {
    this.#context = context;
    this.dialog = dialog;
    this.#digest = digest;
  }

  /**
   * Flow for the next request: the connection of the call while it is open, else a flow to the target that the peer
   * named. If the target is a host name, an address that is not allowed or one behind a NAT, the flow on which the
   * dialog was established. Null if no datagram socket of the address family is open.
   */
  get flow(): Flow | null {
    const { flow, target } = this.dialog;
    return this.#isNamed || target === null ? flow : this.#flowTo(target);
  }

  /** Tells whether locating the peer needs a DNS lookup. */
  get #isNamed(): boolean {
    const { flow, target } = this.dialog;
    return !(flow.reliable && flow.open) && target !== null && isIP(target.address) === 0;
  }

  /** @param host name that resolved to the target, if any */
  #flowTo(target: Target, host?: string): Flow | null {
    const { flow } = this.dialog;
    if (flow.reliable && flow.open) return flow;
    const isSource = target.address === flow.remote.address;
    // A Contact or Record-Route that points into the service's own network is ignored: requests go to the source of the
    // peer's packets.
    if (!isSource && isIP(target.address) !== 0 && !this.#context.peers.allows(target.address, host)) return flow;
    // A peer behind NAT that names its inner address is reached at the source of its packets.
    const inner = isIPv4(target.address) && isPrivate(target.address) && !isPrivate(flow.remote.address);
    return inner ? flow : this.#context.flowTo(target);
  }

  /**
   * Passes the route to `use`: immediately, or after a DNS lookup if the target is a host name. Requests of the dialog
   * keep their order: a BYE must not overtake an ACK, nor a request one with a lower CSeq.
   */
  #withRoute(use: (route: RequestRoute) => void): void {
    const { routes } = this.dialog;
    if (this.#isNamed) routes.add(this.#lookUp(), use);
    else if (routes.isWaiting) routes.add({ flow: this.flow, target: null }, use);
    else use({ flow: this.flow, target: null });
  }

  /** @see RFC 3263 §4 */
  async #lookUp(): Promise<RequestRoute> {
    const host = this.dialog.target?.address;
    for (const target of await this.#context.peers.resolve(this.dialog.nextHop)) {
      const flow = this.#flowTo(target, host);
      if (flow !== null) return { flow, target };
    }
    // Browsers, for example, use host names that do not resolve; they are reached at the source of their packets.
    return { flow: this.dialog.flow, target: null };
  }

  /** Sends a new request. The result is reported to `user`, including the case that there is no route to the peer. */
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
    this.#withRoute(({ flow, target }) => {
      if (flow === null) {
        user.onFailure('transport', 'There is no route to the address that the peer named.');
        return;
      }
      const digest = this.#digest;
      const nextCSeq = () => dialog.nextCSeq();
      const onSent = (transaction: ClientTransaction) => options.onSent?.(transaction);
      sendAuthenticated(
        this.#context,
        { request, flow, digest, nextCSeq, onSent },
        {
          onResponse: (response, envelope) => user.onResponse(response, envelope),
          onFailure: (cause, message) => {
            if (target !== null) this.#context.peers.failed(target);
            user.onFailure(cause, message);
          },
        },
      );
    });
  }

  /**
   * Sends the ACK for a 2xx to a local INVITE, with the same credentials as the INVITE.
   * @returns a function that sends the ACK again, to be called for each retransmission of the 2xx
   * @see RFC 3261 §13.2.2.4, §22.1
   */
  acknowledge(inviteCSeq: number, invite: SipRequest): () => void {
    const ack = this.dialog.createAck(inviteCSeq);
    for (const field of ['Authorization', 'Proxy-Authorization']) {
      for (const value of invite.headers.all(field)) ack.headers.add(field, value);
    }
    let again: (() => void) | null = null;
    this.#withRoute(({ flow }) => {
      if (flow === null) return;
      const bytes = this.#context.prepareAck(ack, flow);
      again = () => flow.send(bytes);
      again();
    });
    return () => again?.();
  }
}
