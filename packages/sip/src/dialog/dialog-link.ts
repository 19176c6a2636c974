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
  /** Told of each transaction: there is one more for each challenge that is answered. */
  readonly onSent?: (transaction: ClientTransaction) => void;
}

/** @see RFC 1918, RFC 3927, RFC 6598 */
function isPrivate(address: string): boolean {
  return /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(
    address,
  );
}

interface Way {
  /** Null where there is none. */
  readonly flow: Flow | null;
  /** What the DNS has named. */
  readonly target: Target | null;
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

  /**
   * The connection of the call while it stands, else to where the peer says it is; by a name, where the call came
   * about.
   */
  get flow(): Flow | null {
    const { flow, target } = this.dialog;
    return this.#isNamed || target === null ? flow : this.#flowTo(target);
  }

  /** Whether the DNS has to say where the peer is. */
  get #isNamed(): boolean {
    const { flow, target } = this.dialog;
    return !(flow.reliable && flow.open) && target !== null && isIP(target.address) === 0;
  }

  /** @param host the name that resolved to the target, where there is one */
  #flowTo(target: Target, host?: string): Flow | null {
    const { flow } = this.dialog;
    if (flow.reliable && flow.open) return flow;
    const isSource = target.address === flow.remote.address;
    // A Contact or Record-Route into the service's own network is not followed: the peer is where its packets come
    // from.
    if (!isSource && isIP(target.address) !== 0 && !this.#context.peers.allows(target.address, host)) return flow;
    // A peer behind NAT that tells its inner address is where its packets come from.
    const inner = isIPv4(target.address) && isPrivate(target.address) && !isPrivate(flow.remote.address);
    return inner ? flow : this.#context.flowTo(target);
  }

  /**
   * Finds the way: at once, but for a peer by a name that is looked up. Requests go out in the order of their calls.
   */
  #find(use: (way: Way) => void): void {
    if (this.#isNamed) void this.#lookUp().then(use);
    else use({ flow: this.flow, target: null });
  }

  /** @see RFC 3263 §4 */
  async #lookUp(): Promise<Way> {
    const host = this.dialog.target?.address;
    for (const target of await this.#context.peers.resolve(this.dialog.nextHop)) {
      const flow = this.#flowTo(target, host);
      if (flow !== null) return { flow, target };
    }
    // Browsers, for one, call themselves by names that nobody knows, and are where their packets come from.
    return { flow: this.dialog.flow, target: null };
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
    this.#find(({ flow, target }) => {
      if (flow === null) {
        user.onFailure('transport', 'There is no way to where the far end says it is.');
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
   * Sends the ACK for a 2xx to our INVITE, with the credentials of that.
   * @returns what must be called again whenever the 2xx comes again
   * @see RFC 3261 §13.2.2.4, §22.1
   */
  acknowledge(inviteCSeq: number, invite: SipRequest): () => void {
    const ack = this.dialog.createAck(inviteCSeq);
    for (const field of ['Authorization', 'Proxy-Authorization']) {
      for (const value of invite.headers.all(field)) ack.headers.add(field, value);
    }
    let again: (() => void) | null = null;
    this.#find(({ flow }) => {
      if (flow === null) return;
      const bytes = this.#context.prepareAck(ack, flow);
      again = () => flow.send(bytes);
      again();
    });
    return () => again?.();
  }
}
