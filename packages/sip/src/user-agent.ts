import type { AddressPolicy, Clock, Logger, RandomBytes } from '@va/core/adapter';
import { describeCapabilities, rejectMethod, screenRequest } from './dialog/capabilities.ts';
import { Dialog } from './dialog/dialog.ts';
import type { DialogUser } from './dialog/dialog-user.ts';
import { IncomingInvite } from './dialog/invite/incoming-invite.ts';
import { OutgoingInvite, type OutgoingInviteOptions, type OutgoingListener } from './dialog/invite/outgoing-invite.ts';
import { type Replaces, readReplaces } from './dialog/session/replaces.ts';
import { Session } from './dialog/session/session.ts';
import type { SessionContext } from './dialog/session/session-context.ts';
import { defaultSessionSeconds, isTooBrief, minSessionSeconds } from './dialog/session/session-expires.ts';
import type { Envelope } from './message/envelope.ts';
import type { SipRequest, SipResponse } from './message/message.ts';
import { createResponse } from './message/response.ts';
import { PeerResolver } from './resolve/peer-resolver.ts';
import { type SipDns, systemSipDns } from './resolve/sip-dns.ts';
import type { ServerTransaction } from './transaction/server-transaction.ts';
import { TransactionLayer, type TransactionListener } from './transaction/transaction-layer.ts';
import type { SipAddress } from './transport/address.ts';
import type { Flow } from './transport/flow.ts';
import { SourceGuard, type SourceGuardLimits } from './transport/source-guard.ts';
import { defaultTimers, type SipTimers } from './transport/timers.ts';
import type { TlsOptions } from './transport/tls-options.ts';
import { type Target, TransportLayer } from './transport/transport-layer.ts';
import type { Release } from './transport/untrusted-source-limits.ts';
import { PeerHealth, type PeerHealthListener, type PeerHealthOptions } from './trunk/peer-health.ts';
import { Registration, type RegistrationOptions, type RegistrationState } from './trunk/registration.ts';

/** Options of a {@link UserAgent}. */
export interface UserAgentOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Source of tags, branches, keys and nonces. */
  readonly random: RandomBytes;
  /** Such as `udp://0.0.0.0:5060`; port 0 selects a free one. */
  readonly listen: readonly string[];
  /** Address given to peers, if it differs from that of the socket. */
  readonly publicAddress?: string | undefined;
  /** Settings of `tls://`, and of TLS connections to peers. */
  readonly tls?: TlsOptions | undefined;
  /** Limits for untrusted sources; `false` answers everybody, including scanners. */
  readonly sourceGuard?: SourceGuardLimits | false | undefined;
  /** DNS for host names. Default: that of the machine. */
  readonly dns?: SipDns | undefined;
  /** Address policy for requests that a tenant or a caller causes. Default: every address is allowed. */
  readonly addresses?: AddressPolicy | undefined;
  /** Value of the Server and User-Agent fields. */
  readonly userAgent?: string | undefined;
  /** Base values of the transaction timers. Default: those of RFC 3261. */
  readonly timers?: Partial<SipTimers> | undefined;
  /** Session interval of outgoing calls. Default: 1,800 s; 0 requests no refreshes (RFC 4028). */
  readonly sessionSeconds?: number | undefined;
  /** Shortest session interval that is accepted. Default: 90 s, which is also the minimum of RFC 4028. */
  readonly minSessionSeconds?: number | undefined;
  /** True if a call may replace a running one (RFC 3891). Default: when it comes from the same address. */
  readonly mayReplace?: ((invite: ServerTransaction, replaced: Session) => boolean) | undefined;
  /**
   * Retry-After in seconds while calls are not accepted; null while they are. OPTIONS gets the same status as INVITE,
   * so that a load balancer sends its calls elsewhere (RFC 3261 §11.2).
   */
  readonly isFull?: (() => number | null) | undefined;
  /** Called for each incoming call; without it every call is rejected with 480. */
  readonly onInvite?: ((invite: IncomingInvite) => void) | undefined;
}

/** Retry-After, in seconds, while the agent closes: another process may have replaced it by then. */
const closingRetrySeconds = 5;
/** Maximum wait for the responses to local BYEs when the agent closes. */
const closeTimeoutMs = 1_000;
const tagBytes = 6;

/** Methods that need an existing dialog or subscription. */
const methodsOfDialogs: readonly string[] = ['BYE', 'INFO', 'PRACK', 'UPDATE', 'NOTIFY'];

function dialogKey({ callId, toTag, fromTag }: Envelope): string {
  return Dialog.key(callId, toTag, fromTag);
}

/** A SIP endpoint that receives and makes calls. @see RFC 3261 §8 */
export class UserAgent implements TransactionListener {
  /** Locates peers, and remembers which did not respond. */
  readonly peers: PeerResolver;
  readonly #options: UserAgentOptions;
  readonly #context: SessionContext;
  readonly #guard: SourceGuard | undefined;
  readonly #transactions: TransactionLayer;
  readonly #transport: TransportLayer;
  readonly #sessions = new Set<Session>();
  /** Users of dialogs, by the dialog's key. */
  readonly #dialogs = new Map<string, DialogUser>();
  readonly #incoming = new Map<ServerTransaction, IncomingInvite>();
  readonly #outgoing = new Set<OutgoingInvite>();
  readonly #registrations = new Set<Registration>();
  readonly #watches = new Set<PeerHealth>();
  #onIdle: (() => void) | null = null;
  #closing = false;
  #closed: Promise<void> | null = null;

  private constructor(options: UserAgentOptions) {
    this.#options = options;
    const { clock, logger, random, listen, publicAddress, tls } = options;
    const timers = { ...defaultTimers, ...options.timers };
    this.peers = new PeerResolver({ clock, random, dns: options.dns ?? systemSipDns(), addresses: options.addresses });
    const { sourceGuard = {} } = options;
    const guard = sourceGuard === false ? undefined : new SourceGuard(clock, sourceGuard);
    this.#guard = guard;
    this.#transactions = new TransactionLayer({ clock, timers, random, untrusted: guard?.untrusted }, this);
    this.#transport = new TransportLayer({ clock, listen, publicAddress, tls, guard, logger }, this.#transactions);
    this.#transactions.attach(this.#transport);
    this.#context = {
      clock,
      logger,
      random,
      timers,
      userAgent: options.userAgent ?? 'va-sip',
      sessionSeconds: options.sessionSeconds ?? defaultSessionSeconds,
      minSessionSeconds: options.minSessionSeconds ?? minSessionSeconds,
      dialogs: {
        add: (user) => this.#dialogs.set(user.dialog.key, user),
        remove: (user) => {
          if (this.#dialogs.get(user.dialog.key) === user) this.#dialogs.delete(user.dialog.key);
        },
      },
      peers: this.peers,
      flowTo: (target) => this.#transport.flowTo(target),
      mayBeForged: (flow) => this.#transport.mayBeForged(flow),
      keepAlive: (flow) => this.#transport.keepAlive(flow),
      request: (request, flow, user, branch) => this.#transactions.request(request, flow, user, branch),
      prepareAck: (ack, flow) => this.#transactions.prepareAck(ack, flow),
    };
  }

  /**
   * Binds the listening sockets.
   * @throws VaError `sip_listen_address`, `sip_listen_failed` or `sip_tls_certificate`
   */
  static async open(options: UserAgentOptions): Promise<UserAgent> {
    const agent = new UserAgent(options);
    await agent.#transport.start();
    return agent;
  }

  /** Listening addresses with their actual ports. */
  get addresses(): readonly SipAddress[] {
    return this.#transport.addresses;
  }

  /** Returns a flow to a peer for an INVITE; null when no datagram socket of that address family is open. */
  flowTo(target: Target): Flow | null {
    return this.#transport.flowTo(target);
  }

  /** Sends an INVITE. Its outcome, also that the flow has failed, is reported to the listener. */
  invite(options: OutgoingInviteOptions, listener: OutgoingListener): OutgoingInvite {
    const owner = {
      onAnswered: (session: Session) => {
        this.#guard?.markVerified(session.dialog.flow);
        this.#addSession(session);
      },
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

  /** Keeps an account registered at a provider until the registration or the agent is closed. @see RFC 3261 §10 */
  register(options: RegistrationOptions, onChange: (state: RegistrationState) => void): Registration {
    const registration: Registration = new Registration(this.#context, options, (state) => {
      if (state.type === 'closed') this.#registrations.delete(registration);
      onChange(state);
    });
    this.#registrations.add(registration);
    return registration;
  }

  /** Probes a peer by OPTIONS until stopped or the agent closes. @see RFC 3261 §11 */
  watch(options: PeerHealthOptions, listener: PeerHealthListener): PeerHealth {
    for (const each of this.#watches) if (each.stopped) this.#watches.delete(each);
    const watch = new PeerHealth(this.#context, options, listener);
    this.#watches.add(watch);
    return watch;
  }

  /**
   * Rejects new calls, hangs up running ones, removes registrations, waits up to 1 s for the responses and closes all
   * sockets.
   */
  close(): Promise<void> {
    this.#closed ??= this.#closeGracefully();
    return this.#closed;
  }

  /** Closes all sockets without a message to the peers. */
  async destroy(): Promise<void> {
    this.#closing = true;
    this.#transactions.destroy();
    for (const watch of this.#watches) watch.stop();
    for (const registration of [...this.#registrations]) registration.destroy();
    for (const invite of [...this.#incoming.values()]) invite.reject(503);
    for (const invite of [...this.#outgoing]) invite.destroy();
    for (const session of [...this.#sessions]) session.destroy();
    await this.#transport.close();
  }

  /** Handles a request of the transaction layer; a host does not call it. */
  onRequest(transaction: ServerTransaction): void {
    const { request, envelope } = transaction;
    const toTag = envelope.toTag === '' ? this.#newTag() : envelope.toTag;
    const refusal = screenRequest(request, toTag);
    if (refusal !== null) transaction.respond(refusal);
    else if (envelope.toTag !== '') this.#onRequestInDialog(transaction);
    else if (request.method === 'INVITE') this.#onInvite(transaction, toTag);
    else if (request.method === 'OPTIONS') transaction.respond(this.#describe(request, toTag));
    else if (methodsOfDialogs.includes(request.method)) transaction.respond(createResponse(request, 481, { toTag }));
    else transaction.respond(rejectMethod(request, toTag));
  }

  #describe(request: SipRequest, toTag: string): SipResponse {
    const retryAfterSeconds = this.#closing ? closingRetrySeconds : (this.#options.isFull?.() ?? null);
    if (retryAfterSeconds === null) return describeCapabilities(request, toTag);
    return createResponse(request, 503, { toTag, headers: [['Retry-After', String(retryAfterSeconds)]] });
  }

  /** Exempts the source of a trunk's call from the limits of untrusted sources. */
  trust(flow: Flow): void {
    this.#guard?.trust(flow);
  }

  /** Counts a call of an untrusted source until it is released; returns null when its source has too many. */
  takeCall(flow: Flow): Release | null {
    return this.#guard === undefined ? () => {} : this.#guard.untrusted.takeCall(flow);
  }

  /** Handles an ACK of the transaction layer; a host does not call it. */
  onAck(request: SipRequest, envelope: Envelope): void {
    const user = this.#dialogs.get(dialogKey(envelope));
    if (user === undefined) return;
    // Only the receiver of the response knows its To tag.
    this.#guard?.markVerified(user.dialog.flow);
    user.onAck(request, envelope);
  }

  /** Handles a CANCEL of the transaction layer; a host does not call it. */
  onCancel(invite: ServerTransaction): void {
    this.#incoming.get(invite)?.cancel();
  }

  #onRequestInDialog(transaction: ServerTransaction): void {
    const user = this.#dialogs.get(dialogKey(transaction.envelope));
    if (user === undefined) transaction.respond(createResponse(transaction.request, 481));
    else user.onRequest(transaction);
  }

  #onInvite(transaction: ServerTransaction, toTag: string): void {
    const { request } = transaction;
    const { minSessionSeconds: least } = this.#context;
    const refuse = (status: number, headers: [string, string][] = []): void =>
      transaction.respond(createResponse(request, status, { toTag, headers }));
    const replaces = readReplaces(request);
    if (replaces === undefined) refuse(400);
    else if (isTooBrief(request, least)) refuse(422, [['Min-SE', String(least)]]);
    else if (this.#closing) refuse(503, [['Retry-After', String(closingRetrySeconds)]]);
    else if (replaces === null) this.#ring(transaction, toTag);
    else {
      const status = this.#replace(transaction, toTag, replaces);
      if (status !== null) refuse(status);
    }
  }

  #ring(transaction: ServerTransaction, toTag: string): void {
    const invite = new IncomingInvite(this.#context, transaction, toTag, {
      onAnswered: (session) => this.#addSession(session),
      onSessionGone: (session) => this.#removeSession(session),
      onSettled: () => this.#incoming.delete(transaction),
    });
    this.#incoming.set(transaction, invite);
    transaction.respond(createResponse(transaction.request, 100));
    if (this.#options.onInvite === undefined) invite.reject(480);
    else this.#options.onInvite(invite);
  }

  /**
   * Lets a call replace a running one, whose media and listener it takes over.
   * @returns the status with which to reject it, or null
   * @see RFC 3891 §3
   */
  #replace(transaction: ServerTransaction, toTag: string, replaces: Replaces): number | null {
    const { request, envelope, flow } = transaction;
    const replaced = this.#dialogs.get(Dialog.key(replaces.callId, replaces.localTag, replaces.remoteTag));
    if (!(replaced instanceof Session)) return 481;
    if (replaced.ended) return 603;
    if (replaces.earlyOnly) return 486;
    const known = flow.remote.address === replaced.dialog.flow.remote.address;
    if (!(this.#options.mayReplace?.(transaction, replaced) ?? known)) return 403;
    const { media, listener } = replaced;
    const dialog = Dialog.asServer(request, envelope, flow, toTag);
    const options = { dialog, media, peer: request, caller: false, digest: null };
    const session = new Session(this.#context, options, listener);
    if (session.answer(transaction) !== null) return 488;
    this.#addSession(session);
    replaced.replaceBy(session);
    return null;
  }

  #addSession(session: Session): void {
    this.#sessions.add(session);
    this.#context.dialogs.add(session);
  }

  #removeSession(session: Session): void {
    this.#sessions.delete(session);
    this.#context.dialogs.remove(session);
    this.#checkIdle();
  }

  #checkIdle(): void {
    if (this.#sessions.size === 0 && this.#outgoing.size === 0) this.#onIdle?.();
  }

  async #closeGracefully(): Promise<void> {
    this.#closing = true;
    for (const invite of [...this.#incoming.values()])
      invite.reject(503, [['Retry-After', String(closingRetrySeconds)]]);
    for (const invite of [...this.#outgoing]) invite.hangup();
    for (const session of [...this.#sessions]) session.hangup();
    const unregistered = [...this.#registrations].map((registration) => registration.close());
    await Promise.all([this.#untilIdle(), ...unregistered]);
    await this.destroy();
  }

  async #untilIdle(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.#options.clock.setTimer(closeTimeoutMs, resolve);
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
