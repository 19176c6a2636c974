import type { Clock, Logger, RandomBytes } from '@va/core';
import { describeCapabilities, refuseMethod, screenRequest } from './dialog/capabilities.ts';
import { Dialog } from './dialog/dialog.ts';
import { IncomingInvite } from './dialog/incoming-invite.ts';
import { OutgoingInvite, type OutgoingInviteOptions, type OutgoingListener } from './dialog/outgoing-invite.ts';
import type { Session } from './dialog/session.ts';
import type { SessionContext } from './dialog/session-context.ts';
import type { Envelope } from './message/envelope.ts';
import type { SipRequest } from './message/message.ts';
import { createResponse } from './message/response.ts';
import type { ServerTransaction } from './transaction/server-transaction.ts';
import { defaultTimers, type SipTimers } from './transaction/timers.ts';
import { TransactionLayer, type TransactionListener } from './transaction/transaction-layer.ts';
import type { SipAddress } from './transport/address.ts';
import type { Flow } from './transport/flow.ts';
import { type Target, TransportLayer } from './transport/transport-layer.ts';

export interface UserAgentOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: RandomBytes;
  /** Such as `udp://0.0.0.0:5060`; port 0 takes a free one. */
  readonly listen: readonly string[];
  /** What peers shall be told as our address, where it is not the one of the socket. */
  readonly publicAddress?: string | undefined;
  /** What we call ourselves in Server and User-Agent. */
  readonly userAgent?: string | undefined;
  readonly timers?: Partial<SipTimers> | undefined;
  /** Without it every call is refused with 480. */
  readonly onInvite?: ((invite: IncomingInvite) => void) | undefined;
}

/** Longest wait for the answers to our BYEs when the agent closes. */
const farewellMs = 1_000;
const tagBytes = 6;

/** A SIP endpoint: it takes calls and makes them. @see RFC 3261 §8 */
export class UserAgent implements TransactionListener {
  readonly #options: UserAgentOptions;
  readonly #context: SessionContext;
  readonly #transactions: TransactionLayer;
  readonly #transport: TransportLayer;
  readonly #sessions = new Map<string, Session>();
  readonly #incoming = new Map<ServerTransaction, IncomingInvite>();
  readonly #outgoing = new Set<OutgoingInvite>();
  #onIdle: (() => void) | null = null;
  #closing = false;
  #closed: Promise<void> | null = null;

  private constructor(options: UserAgentOptions) {
    this.#options = options;
    const { clock, logger, random, listen, publicAddress } = options;
    const timers = { ...defaultTimers, ...options.timers };
    this.#transactions = new TransactionLayer({ clock, timers, random }, this);
    this.#transport = new TransportLayer({ listen, publicAddress, logger }, this.#transactions);
    this.#transactions.attach(this.#transport);
    this.#context = {
      clock,
      logger,
      random,
      timers,
      userAgent: options.userAgent ?? 'va-sip',
      flowTo: (target) => this.#transport.flowTo(target),
      request: (request, flow, user, branch) => this.#transactions.request(request, flow, user, branch),
      prepareAck: (ack, flow) => this.#transactions.prepareAck(ack, flow),
    };
  }

  /** @throws VaError `sip_listen_address` or `sip_listen_failed` */
  static async open(options: UserAgentOptions): Promise<UserAgent> {
    const agent = new UserAgent(options);
    await agent.#transport.start();
    return agent;
  }

  get addresses(): readonly SipAddress[] {
    return this.#transport.addresses;
  }

  /** A way to a peer, for an invitation; null when no socket of that transport and address family is open. */
  flowTo(target: Target): Flow | null {
    return this.#transport.flowTo(target);
  }

  invite(options: OutgoingInviteOptions, listener: OutgoingListener): OutgoingInvite {
    const owner = {
      onAnswered: (session: Session) => this.#addSession(session),
      onSessionGone: (session: Session) => this.#removeSession(session),
      onSettled: (settled: OutgoingInvite) => {
        this.#outgoing.delete(settled);
        this.#checkIdle();
      },
    };
    const invite = new OutgoingInvite(this.#context, options, owner, listener);
    this.#outgoing.add(invite);
    return invite;
  }

  /** Refuses calls, hangs up those that are there, waits briefly for the answers and closes every socket. */
  close(): Promise<void> {
    this.#closed ??= this.#sayFarewell();
    return this.#closed;
  }

  /** Closes every socket at once, without a word to the peers. */
  async destroy(): Promise<void> {
    this.#closing = true;
    this.#transactions.destroy();
    for (const invite of [...this.#outgoing]) invite.destroy();
    for (const session of [...this.#sessions.values()]) session.destroy();
    await this.#transport.close();
  }

  onRequest(transaction: ServerTransaction): void {
    const { request, envelope } = transaction;
    const toTag = envelope.toTag === '' ? this.#newTag() : envelope.toTag;
    const refusal = screenRequest(request, toTag);
    if (refusal !== null) transaction.respond(refusal);
    else if (envelope.toTag !== '') this.#onRequestInDialog(transaction);
    else if (request.method === 'INVITE') this.#onInvite(transaction, toTag);
    else if (request.method === 'OPTIONS') transaction.respond(describeCapabilities(request, toTag));
    else if (request.method === 'BYE' || request.method === 'INFO') {
      transaction.respond(createResponse(request, 481, { toTag }));
    } else transaction.respond(refuseMethod(request, toTag));
  }

  onAck(request: SipRequest, envelope: Envelope): void {
    this.#sessionOf(envelope)?.onAck(request, envelope);
  }

  onCancel(invite: ServerTransaction): void {
    this.#incoming.get(invite)?.cancel();
  }

  #onRequestInDialog(transaction: ServerTransaction): void {
    const session = this.#sessionOf(transaction.envelope);
    if (session === undefined) transaction.respond(createResponse(transaction.request, 481));
    else session.onRequest(transaction);
  }

  #onInvite(transaction: ServerTransaction, toTag: string): void {
    const invite = new IncomingInvite(this.#context, transaction, toTag, {
      onAnswered: (session) => this.#addSession(session),
      onSessionGone: (session) => this.#removeSession(session),
      onSettled: () => this.#incoming.delete(transaction),
    });
    this.#incoming.set(transaction, invite);
    transaction.respond(createResponse(transaction.request, 100));
    if (this.#closing) invite.reject(503, [['Retry-After', '5']]);
    else if (this.#options.onInvite === undefined) invite.reject(480);
    else this.#options.onInvite(invite);
  }

  #sessionOf(envelope: Envelope): Session | undefined {
    return this.#sessions.get(Dialog.key(envelope.callId, envelope.toTag, envelope.fromTag));
  }

  #addSession(session: Session): void {
    this.#sessions.set(session.dialog.key, session);
  }

  #removeSession(session: Session): void {
    this.#sessions.delete(session.dialog.key);
    this.#checkIdle();
  }

  #checkIdle(): void {
    if (this.#sessions.size === 0 && this.#outgoing.size === 0) this.#onIdle?.();
  }

  async #sayFarewell(): Promise<void> {
    this.#closing = true;
    for (const invite of [...this.#incoming.values()]) invite.reject(503, [['Retry-After', '5']]);
    for (const invite of [...this.#outgoing]) invite.hangup();
    for (const session of [...this.#sessions.values()]) session.hangup();
    await this.#untilIdle();
    await this.destroy();
  }

  async #untilIdle(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.#options.clock.setTimer(farewellMs, resolve);
      this.#onIdle = () => {
        timer.cancel();
        resolve();
      };
      this.#checkIdle();
    });
  }

  #newTag(): string {
    return Buffer.from(this.#options.random(tagBytes)).toString('hex');
  }
}
