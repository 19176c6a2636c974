import {
  type Clock,
  type DialFailure,
  type DialRequest,
  type LegEnd,
  type Logger,
  type MediaLeg,
  type OutgoingCall,
  toError,
  VaError,
} from '@va/core/adapter';
import { TimerSlot } from '@va/media';
import type { OutgoingEnd, OutgoingInvite } from './dialog/invite/outgoing-invite.ts';
import type { RtpSession } from './media/rtp-session.ts';
import type { SipMediaLeg } from './media/sip-media-leg.ts';
import { type NameAddr, parseNameAddr } from './message/name-addr.ts';
import { RedirectTargets } from './redirect-targets.ts';
import { referTransfer } from './refer-transfer.ts';
import type { PeerAddress } from './resolve/peer-resolver.ts';
import { type TargetAttempt, tryEach } from './resolve/try-each.ts';
import { offersKeys, type SrtpMode } from './sdp/crypto.ts';
import type { Flow } from './transport/flow.ts';
import type { Target } from './transport/transport-layer.ts';
import { trunkPeer } from './trunk/trunk-peer.ts';
import type { UserAgent } from './user-agent.ts';

/** Statuses that describe the called person; all others describe the network. @see RFC 3261 §21 */
const dialFailures: Readonly<Record<number, DialFailure>> = {
  404: 'invalid-destination',
  408: 'no-answer',
  480: 'no-answer',
  484: 'invalid-destination',
  486: 'busy',
  487: 'no-answer',
  600: 'busy',
  603: 'declined',
  604: 'invalid-destination',
  607: 'declined',
  608: 'declined',
};

/** Status of a peer that agrees on no media. @see RFC 3261 §21.4.26 */
const notAcceptable = 488;

/** Names no reason, so that a tenant learns nothing about the service's network. The log contains the reason. */
const unreachable = 'The trunk could not be reached.';
const notFollowed = 'none of the targets may be called';

interface SipOutgoingCallOptions {
  readonly agent: UserAgent;
  readonly clock: Clock;
  readonly request: DialRequest;
  /** Time limit for the first response of a trunk's server before the next one is tried, if there is one. */
  readonly responseTimeoutMs: number;
  readonly logger: Logger;
  readonly srtp: SrtpMode;
  /** Allowed hosts of redirections beside the trunk's own, in lower case. */
  readonly redirectHosts: ReadonlySet<string>;
  /** Binds the RTP socket for a call on this flow. */
  readonly openMedia: (flow: Flow, srtp: SrtpMode) => Promise<RtpSession<SipMediaLeg>>;
  /**
   * Called for each host that the call is sent to, a trunk or the target of a redirection, with its resolved addresses.
   */
  readonly onTargets?: ((host: string, targets: readonly Target[]) => void) | undefined;
}

/** An outgoing call through a trunk as an `OutgoingCall` of the telephony port. */
export class SipOutgoingCall implements OutgoingCall {
  readonly id: string;
  readonly #options: SipOutgoingCallOptions;
  readonly #answer: Promise<MediaLeg>;
  #resolve: (leg: MediaLeg) => void = () => {};
  #reject: (error: Error) => void = () => {};
  #current: OutgoingInvite | null = null;
  #isAnswered = false;
  #isHungUp = false;
  #end: LegEnd | null = null;
  #onEnd: ((end: LegEnd) => void) | null = null;

  constructor(options: SipOutgoingCallOptions) {
    this.id = options.request.callId;
    this.#options = options;
    this.#answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A failure that no caller awaits must not end the process as an unhandled rejection.
    this.#answer.catch(() => {});
    void this.#dial();
  }

  whenAnswered(): Promise<MediaLeg> {
    return this.#answer;
  }

  hangup(): void {
    this.#isHungUp = true;
    if (this.#current === null) this.#finish({ cause: 'local-hangup' });
    else this.#current.hangup();
  }

  onEnd(listener: (end: LegEnd) => void): void {
    this.#onEnd = listener;
    if (this.#end !== null) listener(this.#end);
  }

  async #dial(): Promise<void> {
    const { logger, request } = this.#options;
    const about = { callId: request.callId, trunk: request.trunk.address };
    try {
      const end = await this.#call(routeOf(request));
      if (end?.cause === 'transport-error') logger.warn({ ...about, reason: end.message }, 'failed to reach trunk');
      if (end !== null) this.#finish(this.#legEnd(end));
    } catch (thrown) {
      logger.warn({ ...about, reason: toError(thrown).message }, 'failed to dial call');
      this.#finish({
        cause: 'not-answered',
        why: 'failed',
        message: thrown instanceof VaError ? thrown.message : unreachable,
      });
    }
  }

  /** Calls the destination, then the targets of redirections in order. @see RFC 3261 §8.1.3.4 */
  async #call(first: CallRoute): Promise<OutgoingEnd | null> {
    const { redirectHosts } = this.#options;
    const targets = new RedirectTargets({ uri: first.uri, trunk: first.peer, hosts: redirectHosts });
    let end = await this.#callAt(first);
    while (end?.cause === 'refused' && end.status < 600 && !this.#isHungUp) {
      const isRedirected = end.status < 400;
      // A Contact of 305 is a proxy, not a target.
      if (isRedirected && end.status !== 305) targets.add(end.contacts ?? []);
      const next = targets.next();
      if (next === null) return isRedirected ? { ...end, reason: `${end.reason} (${notFollowed})` } : end;
      end = await this.#callAt({ ...first, ...next });
    }
    return end;
  }

  /** Calls one target, trying its servers in order. */
  async #callAt(route: CallRoute): Promise<OutgoingEnd | null> {
    const { agent, onTargets } = this.#options;
    const targets = await agent.peers.resolveAllowed(route.peer);
    onTargets?.(route.peer.host, targets);
    return tryEach(agent.peers, targets, (target, isLast) => this.#attempt(route, target, isLast));
  }

  /** Calls a server; if encryption is optional and the server rejects it, calls again with unencrypted media. */
  async #attempt(route: CallRoute, target: Target, isLast: boolean): Promise<TargetAttempt<OutgoingEnd | null>> {
    const { srtp, logger, request } = this.#options;
    const outcome = await this.#invite(route, target, isLast, srtp);
    const hasOffered = srtp === 'offered' && offersKeys(srtp, target.transport === 'tls');
    const { value: end } = outcome;
    if (!hasOffered || end?.cause !== 'refused' || end.status !== notAcceptable || this.#isHungUp) return outcome;
    const about = { callId: request.callId, call: this.id, trunk: request.trunk.address, reason: end.reason };
    logger.warn(about, 'trunk rejected SRTP, retrying with unencrypted media');
    return await this.#invite(route, target, isLast, 'off');
  }

  /** Resolves with null when the peer has answered, or with the end of the call to this server of the trunk. */
  async #invite(
    route: CallRoute,
    target: Target,
    isLast: boolean,
    srtp: SrtpMode,
  ): Promise<TargetAttempt<OutgoingEnd | null>> {
    const { agent, clock, request, responseTimeoutMs, openMedia } = this.#options;
    const flow = this.#isHungUp ? null : agent.flowTo(target);
    if (flow === null && !this.#isHungUp) {
      const message = `No ${target.transport} socket of this address family is open.`;
      return { type: 'failed', value: { cause: 'transport-error', message } };
    }
    const media = flow === null ? null : await openMedia(flow, srtp);
    if (flow === null || media === null || this.#isHungUp) {
      media?.close();
      return { type: 'answered', value: { cause: 'local-hangup' } };
    }
    return new Promise((resolve) => {
      const responseTimeout = new TimerSlot(clock);
      let [isTrying, isGivenUp] = [false, false];
      const invite = agent.invite(
        { ...route, flow, media, credentials: request.trunk.credentials ?? undefined },
        {
          onTrying: () => {
            isTrying = true;
            responseTimeout.clear();
          },
          onProgress() {},
          onAnswered: () => {
            if (isGivenUp) return;
            this.#onAnswered(media.leg, route);
            resolve({ type: 'answered', value: null });
          },
          onEnd: (end) => {
            responseTimeout.clear();
            if (isGivenUp) return;
            if (this.#isAnswered) this.#finish(this.#legEnd(end));
            if (!mayTryNextServer(end, isTrying)) resolve({ type: 'answered', value: end });
            else {
              this.#current = null;
              const retryAfterMs = end.cause === 'refused' && end.status === 503 ? end.retryAfterMs : undefined;
              resolve({ type: 'failed', value: end, retryAfterMs });
            }
          },
        },
      );
      this.#current = invite;
      if (isLast) return;
      responseTimeout.set(responseTimeoutMs, () => {
        if (this.#isHungUp) return;
        isGivenUp = true;
        this.#current = null;
        invite.hangup();
        resolve({ type: 'failed', value: { cause: 'transport-error', message: 'The trunk did not answer.' } });
      });
    });
  }

  #onAnswered(leg: RtpSession<SipMediaLeg>['leg'], route: CallRoute): void {
    this.#isAnswered = true;
    leg.transfer = referTransfer({
      session: () => this.#current?.session ?? null,
      referredBy: route.from.uri,
      host: this.#options.request.trunk.address,
    });
    this.#resolve(leg);
  }

  #legEnd(end: OutgoingEnd): LegEnd {
    if (end.cause === 'refused') {
      return {
        cause: 'not-answered',
        why: dialFailures[end.status] ?? 'failed',
        message: `${end.status} ${end.reason}`,
      };
    }
    if (end.cause === 'transport-error' && !this.#isAnswered) {
      return { cause: 'not-answered', why: 'failed', message: unreachable };
    }
    return end;
  }

  #finish(end: LegEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#onEnd?.(end);
    this.#reject(new VaError('call_over', 'The call ended before it was answered.'));
  }
}

/** Tells whether another server of the trunk may succeed. @see RFC 3263 §4.3 */
function mayTryNextServer(end: OutgoingEnd, isTrying: boolean): boolean {
  if (end.cause === 'transport-error') return true;
  return end.cause === 'refused' && (end.status === 503 || (end.status === 408 && !isTrying));
}

interface CallRoute {
  readonly uri: string;
  readonly from: NameAddr;
  readonly to: NameAddr;
  readonly peer: PeerAddress;
  readonly headers: readonly (readonly [string, string])[];
}

/**
 * Builds the INVITE. A number is dialed at the trunk; a SIP address is passed to the trunk unchanged. The caller's
 * number is in From, and asserted (RFC 3325) for providers that identify this service by credentials or address.
 */
function routeOf({ destination, callerNumber, trunk }: DialRequest): CallRoute {
  const { address: trunkAddress, transport } = trunk;
  const peer = trunkPeer(trunkAddress, transport);
  const host = peer?.host ?? '';
  const suffix = transport === 'udp' ? '' : `;transport=${transport}`;
  const uri = /^sips?:/i.test(destination) ? destination : `sip:${destination}@${trunkAddress}${suffix}`;
  const from = parseNameAddr(`<sip:${callerNumber}@${host}>`);
  const to = parseNameAddr(`<${uri}>`);
  if (peer === null || from === null || to === null)
    throw new VaError('call_destination', `"${destination}" cannot be dialed through ${trunkAddress}.`);
  return { uri, from, to, peer, headers: [['P-Asserted-Identity', `<sip:${callerNumber}@${host}>`]] };
}
