import {
  type AddressPolicy,
  type Clock,
  createAddressPolicy,
  type DialRequest,
  type OutgoingCall,
  type RandomBytes,
  type RegistrationHealth,
  systemRandom,
  type Telephony,
  type TelephonyHost,
  toError,
  VaError,
} from '@va/core/adapter';
import {
  type Agreement,
  type CodecName,
  loadOpus,
  type MediaSourceMode,
  MediaWorkers,
  type OpusLibrary,
  PortPool,
  RtpLeg,
} from '@va/media';
import { DigestServer } from './auth/digest-server.ts';
import type { IncomingInvite } from './dialog/invite/incoming-invite.ts';
import { type Admission, InboundAuthorization, type InboundPolicy } from './inbound-authorization.ts';
import { localMedia } from './media/local-media.ts';
import { checkMediaAddress } from './media/media-address.ts';
import { agreeOnOffer, type CodecPreference, otherFamily, RtpSession, unreadable } from './media/rtp-session.ts';
import type { SipMediaLeg } from './media/sip-media-leg.ts';
import { systemSipDns } from './resolve/sip-dns.ts';
import { disagreement } from './sdp/agreement.ts';
import { answerSecurity, LocalSrtpKeys, type SrtpMode } from './sdp/crypto.ts';
import { parseSessionDescription } from './sdp/session-description.ts';
import { retryAfterSeconds, SipIncomingCall } from './sip-incoming-call.ts';
import { SipOutgoingCall } from './sip-outgoing-call.ts';
import { parseListenAddress, type SipAddress } from './transport/address.ts';
import type { Flow } from './transport/flow.ts';
import type { SourceGuardLimits } from './transport/source-guard.ts';
import { defaultTimers, type SipTimers } from './transport/timers.ts';
import type { TlsOptions } from './transport/tls-options.ts';
import type { Target } from './transport/transport-layer.ts';
import type { Release } from './transport/untrusted-source-limits.ts';
import type { ProbedTrunkHealth } from './trunk/probed-trunk-health.ts';
import { type RegisteredAccount, registerAccount, type SipRegistration } from './trunk/sip-registration.ts';
import { trunkPeer } from './trunk/trunk-peer.ts';
import { type SipPeer, TrunkWatch } from './trunk/trunk-watch.ts';
import { UserAgent } from './user-agent.ts';

/** Options of {@link sip}. */
export interface SipOptions {
  /** Such as `['udp://0.0.0.0:5060', 'tcp://0.0.0.0:5060', 'tls://0.0.0.0:5061']`; port 0 selects a free one. */
  readonly listen: readonly string[];
  /** The certificate for `tls://`, and the trusted authorities. */
  readonly tls?: TlsOptions;
  /** `address` or `address:port` of the DNS servers for trunk lookups (RFC 3263). Default: those of the machine. */
  readonly dnsServers?: readonly string[];
  /**
   * Policy for the addresses that calls are sent to: trunks, and those named in their responses' Contact and
   * Record-Route. Default: public addresses only, so that nobody reaches the service's own network through a trunk.
   * Allow hosts in your network with `createAddressPolicy({ allowed: ['pbx.internal', '10.20.0.0/16'] })`.
   */
  readonly addresses?: AddressPolicy;
  /**
   * Hosts that a trunk may redirect a call to (3xx), beside its own: names or IP addresses as written in the Contact.
   */
  readonly redirectHosts?: readonly string[];
  /** Address for Contact and SDP, if it differs from that of the socket: behind NAT. */
  readonly publicAddress?: string;
  /** Lowest and highest UDP port for media; a call uses an even one. Default: any free port. */
  readonly rtpPortRange?: readonly [min: number, max: number];
  /**
   * Number of media threads. Default: 1, so that work that blocks the main thread delays no audio frame. One thread
   * serves some hundreds of calls. With 0, media run in the main thread, on the clock of the service.
   */
  readonly mediaWorkers?: number;
  /** Address to which media sockets are bound. Default: the address of the call's signalling. */
  readonly rtpAddress?: string;
  /**
   * Callers that are accepted. Default: `trunks`, the active trunks of the organization that owns the number,
   * identified by their source address or credentials (digest). `open` lets anybody call, such as a softphone in a
   * trial.
   */
  readonly inbound?: InboundPolicy;
  /**
   * Limits for sources that are not known as trunks: rejections before their requests stay unanswered (scanners get no
   * response at all), and concurrent requests and calls. `false` disables the limits, for a service behind a protecting
   * proxy.
   */
  readonly sourceGuard?: SourceGuardLimits | false;
  /** Accounts to keep registered at providers while the service runs. */
  readonly registrations?: readonly SipRegistration[];
  /**
   * Interval of OPTIONS probes to the addresses of trunks, from the first call until an hour after the last. Default:
   * 30,000 ms; 0 disables them. An address that does not respond is called last.
   */
  readonly trunkCheckMs?: number;
  /**
   * Codecs in order of preference, for offers and answers. Default: PCMU and PCMA are offered; an offer is answered
   * with one of them in the offer's order, or if it has neither, with G.722 or Opus.
   *
   * The first negotiated codec sets the sample rate of the call for its whole duration: 8 kHz with PCMU or PCMA, 16 kHz
   * with G.722 or Opus. List `g722` or `opus` first for wideband calls. `opus` needs `@discordjs/opus` beside this
   * package.
   */
  readonly codecs?: readonly CodecName[];
  /**
   * SRTP with keys in SDP (RFC 4568). `offered`, the default, accepts it when the peer offers it, and offers it when
   * the signalling uses TLS; `required` offers nothing else and rejects calls without it; `off` disables it.
   */
  readonly srtp?: SrtpMode;
  /**
   * Sources from which RTP is accepted. `latch`, the default: the address and port of the peer's SDP, and another
   * source after three consecutive packets, if it is at the address of the SDP or of the signalling, or a NAT explains
   * its address; `strict`: the address and port of the SDP only. A trunk's own setting (`media_source`) takes
   * precedence.
   */
  readonly mediaSource?: MediaSourceMode;
  /**
   * True if a peer may direct audio to a private or loopback address when its signalling comes from another kind of
   * address, such as media over a VPN. Default: false.
   */
  readonly allowPrivateMedia?: boolean;
  /** Base values of the transaction timers. Default: those of RFC 3261. */
  readonly timers?: Partial<SipTimers>;
  /** Value of the Server and User-Agent fields. */
  readonly userAgent?: string;
  /** Source of keys, tags, nonces and ports. Default: the system's. */
  readonly random?: RandomBytes;
}

/** The SIP adapter of a service. */
export interface SipTelephony extends Telephony {
  /** Listening addresses with their actual ports; empty before `start`. */
  readonly addresses: readonly SipAddress[];
  /** Addresses that outgoing calls of the last hour were sent to, and their health. */
  readonly peers: readonly SipPeer[];
}

const defaultTrunkCheckMs = 30_000;

const g711: readonly CodecName[] = ['pcmu', 'pcma'];
const defaultAnswers: CodecPreference = [g711, ['g722', 'opus']];

/**
 * Creates telephony over SIP (RFC 3261) and RTP (RFC 3550), with UDP, TCP and TLS, G.711, G.722 and Opus, SRTP and RFC
 * 4733 DTMF.
 *
 * @example const va = createVoiceAgents({ telephony: [sip({ listen: ['udp://0.0.0.0:5060'] })], … });
 *
 * @throws VaError `sip_listen_address` when an address is not of the form `udp://…`, `tcp://…` or `tls://…`; `start`
 *   rejects with `sip_listen_failed` when one cannot be bound, with `sip_tls_certificate` when `tls://` has no readable
 *   certificate, with `sip_codec_unavailable` when Opus is requested but not installed, and with `sip_source_guard` or
 *   `sip_registration` when an entry of that option is malformed
 */
export function sip(options: SipOptions): SipTelephony {
  return new SipAdapter(options);
}

/** Media settings of one call, which take precedence over the options. */
interface CallMediaSettings {
  readonly srtp?: SrtpMode;
  /** Media address of the remote offer. */
  readonly offered?: string | null;
  /** Setting of the trunk. */
  readonly mediaSource?: MediaSourceMode | null | undefined;
}

class SipAdapter implements SipTelephony {
  readonly id = 'sip';
  readonly #options: SipOptions;
  readonly #random: RandomBytes;
  readonly #ports: PortPool;
  #workers: MediaWorkers | null = null;
  #agent: UserAgent | null = null;
  #watch: TrunkWatch | null = null;
  #host: TelephonyHost | null = null;
  #authorization: InboundAuthorization | null = null;
  #opus: OpusLibrary | null = null;
  readonly #accounts: RegisteredAccount[] = [];

  constructor(options: SipOptions) {
    options.listen.forEach(parseListenAddress);
    this.#options = options;
    this.#random = options.random ?? systemRandom;
    const [min, max] = options.rtpPortRange ?? [];
    this.#ports = new PortPool(min === undefined || max === undefined ? undefined : { min, max }, this.#random);
  }

  get addresses(): readonly SipAddress[] {
    return this.#agent?.addresses ?? [];
  }

  get peers(): readonly SipPeer[] {
    return this.#watch?.peers ?? [];
  }

  get trunkHealth(): ReadonlyMap<string, ProbedTrunkHealth> {
    return this.#watch?.trunkHealth ?? new Map();
  }

  get registrations(): readonly RegistrationHealth[] {
    return this.#accounts.map(({ health }) => health);
  }

  async start(host: TelephonyHost): Promise<void> {
    const { listen, publicAddress, tls, sourceGuard, dnsServers, userAgent, timers } = this.#options;
    this.#host = host;
    this.#opus = await this.#loadOpus();
    const workers = this.#options.mediaWorkers ?? 1;
    if (workers > 0)
      this.#workers = await MediaWorkers.start(workers, this.#ports, { ...host, opus: this.#opus !== null });
    this.#agent = await UserAgent.open({
      clock: host.clock,
      logger: host.logger,
      random: this.#random,
      listen,
      publicAddress,
      tls,
      sourceGuard,
      dns: systemSipDns({ servers: dnsServers }),
      addresses: this.#options.addresses ?? createAddressPolicy(),
      userAgent,
      timers,
      isFull: () => (host.admits() ? null : retryAfterSeconds),
      onInvite: (invite) => void this.#onInvite(invite, host),
    });
    this.#authorization = new InboundAuthorization({
      policy: this.#options.inbound ?? 'trunks',
      host,
      peers: this.#agent.peers,
      digest: new DigestServer({ clock: host.clock, random: this.#random, realm: userAgent ?? 'va-sip' }),
    });
    const { trunkCheckMs: intervalMs = defaultTrunkCheckMs } = this.#options;
    if (intervalMs > 0) {
      const { clock, logger } = host;
      this.#watch = new TrunkWatch({ agent: this.#agent, clock, random: this.#random, logger, intervalMs });
    }
    for (const each of this.#options.registrations ?? []) {
      this.#accounts.push(registerAccount(this.#agent, each, host));
    }
    const { inbound = 'trunks' } = this.#options;
    host.logger.info({ listen: this.addresses, inbound }, 'listening for SIP');
  }

  dial(request: DialRequest): OutgoingCall {
    const [agent, host] = [this.#agent, this.#host];
    if (agent === null || host === null) throw new VaError('invalid_state', 'The SIP adapter was not started.');
    const { t1Ms } = { ...defaultTimers, ...this.#options.timers };
    const openMedia = (flow: Flow, mode: SrtpMode): Promise<RtpSession<SipMediaLeg>> =>
      this.#openMedia(flow, host, { srtp: mode, mediaSource: request.trunk.mediaSource });
    const own = trunkPeer(request.trunk.address, request.trunk.transport)?.host;
    const onTargets = (host: string, targets: readonly Target[]): void =>
      this.#watch?.use(host, targets, host === own ? request.trunk.id : null);
    const { clock, logger } = host;
    const { srtp = 'offered', redirectHosts = [] } = this.#options;
    return new SipOutgoingCall({
      agent,
      clock,
      logger,
      request,
      srtp,
      openMedia,
      onTargets,
      redirectHosts: new Set(redirectHosts.map((each) => each.toLowerCase())),
      responseTimeoutMs: 8 * t1Ms,
    });
  }

  async close(): Promise<void> {
    this.#watch?.close();
    await this.#agent?.close();
    await this.#workers?.close();
  }

  /** Handles an incoming call. Never rejects. */
  async #onInvite(invite: IncomingInvite, host: TelephonyHost): Promise<void> {
    try {
      // A full node rejects before the authorization, which looks up numbers and trunks.
      if (isFull(invite, host)) return;
      const admission = await this.#authorization?.admit(invite);
      if (admission) this.#take(invite, host, admission);
    } catch (error) {
      host.logger.error({ err: toError(error) }, 'failed to authorize call');
      invite.reject(500);
    }
  }

  #take(invite: IncomingInvite, host: TelephonyHost, admission: Admission): void {
    if (isFull(invite, host)) return;
    // Without a remote offer, a local one is sent, which the caller may accept.
    const { body } = invite.request;
    const agreed = body.length === 0 ? null : this.#checkOffer(body, invite.flow);
    if (typeof agreed === 'string') {
      invite.reject(488, [['Warning', agreed]]);
      return;
    }
    const onOver = this.#takeCall(invite, admission);
    if (onOver === null) return;
    const offered = agreed?.remote.address ?? null;
    const call = new SipIncomingCall({
      invite,
      admission,
      onOver,
      format: agreed?.codec.format,
      openMedia: () => this.#openMedia(invite.flow, host, { offered, mediaSource: admission.trunk?.mediaSource }),
    });
    try {
      host.onIncomingCall(call);
    } catch (error) {
      host.logger.error({ err: toError(error), call: call.id }, 'service failed to accept call');
      call.reject('error');
    }
  }

  /** Counts the call of an untrusted source; returns null after rejecting it because its source has too many. */
  #takeCall(invite: IncomingInvite, { isTrusted }: Admission): Release | null {
    if (isTrusted) this.#agent?.trust(invite.flow);
    const release = this.#agent?.takeCall(invite.flow) ?? null;
    if (release === null) invite.reject(503, [['Retry-After', String(retryAfterSeconds)]]);
    return release;
  }

  /** @throws VaError `sip_codec_unavailable` when a codec is requested by name but not installed */
  async #loadOpus(): Promise<OpusLibrary | null> {
    const { codecs } = this.#options;
    const isNamed = codecs?.includes('opus') ?? false;
    const opus = codecs === undefined || isNamed ? await loadOpus() : null;
    if (opus !== null || !isNamed) return opus;
    const message = 'codecs contains "opus", but @discordjs/opus cannot be loaded. Install it, or remove "opus".';
    throw new VaError('sip_codec_unavailable', message);
  }

  /** Codecs for answers: in the host's order if configured, else G.711 in the peer's order before all others. */
  get #answers(): CodecPreference {
    const { codecs } = this.#options;
    const preference = codecs === undefined ? defaultAnswers : codecs.map((name) => [name]);
    return preference.map((group) => group.filter((name) => name !== 'opus' || this.#opus !== null));
  }

  /** Returns the codec and encryption with which an offer will be answered, or the Warning of the rejection. */
  #checkOffer(body: Uint8Array, flow: Flow): Agreement | string {
    const offer = parseSessionDescription(body);
    if (offer === null) return unreadable;
    const { srtp = 'offered', mediaSource: mode, allowPrivateMedia: allowPrivate } = this.#options;
    const agreement = agreeOnOffer(offer, this.#answers, answerSecurity(srtp, new LocalSrtpKeys(this.#random)));
    if (agreement === null) return disagreement(offer);
    const trust = checkMediaAddress(agreement.remote, { mode, allowPrivate, signalling: flow.remote.address });
    if (typeof trust === 'string') return trust;
    return localMedia(flow, agreement.remote.address, this.#options) === null ? otherFamily : agreement;
  }

  async #openMedia(flow: Flow, host: TelephonyHost, settings: CallMediaSettings): Promise<RtpSession<SipMediaLeg>> {
    const local = localMedia(flow, settings.offered ?? null, this.#options);
    if (local === null)
      throw new VaError('sip_address_family', 'rtpAddress has a different address family than the call.');
    const leg = await this.#openLeg(local.bind, host.clock);
    const { codecs = g711, allowPrivateMedia } = this.#options;
    const { srtp = this.#options.srtp, mediaSource } = settings;
    return new RtpSession({
      leg,
      codecs,
      srtp,
      allowPrivateMedia,
      address: local.address,
      mediaSource: mediaSource ?? this.#options.mediaSource,
      answers: this.#answers,
      random: this.#random,
      secureSignalling: flow.transport === 'tls',
    });
  }

  async #openLeg(address: string, clock: Clock): Promise<SipMediaLeg> {
    if (this.#workers !== null) return await this.#workers.open(address);
    const [random, opus] = [this.#random, this.#opus];
    return await this.#ports.open(address, async (port) => {
      const onClosed = (): void => this.#ports.release(port);
      return await RtpLeg.open({ clock, random, opus, address, port, onClosed });
    });
  }
}

/** Rejects a call with 503 and Retry-After when the node is full. @see RFC 3261 §21.5.4 */
function isFull(invite: IncomingInvite, host: TelephonyHost): boolean {
  if (host.admits()) return false;
  host.refused();
  invite.reject(503, [['Retry-After', String(retryAfterSeconds)]]);
  return true;
}
