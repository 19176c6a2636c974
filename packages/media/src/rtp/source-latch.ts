import type { RemoteInfo } from 'node:dgram';
import type { RtpPacket } from '../packet/rtp-packet.ts';
import type { Endpoint } from '../runtime/endpoint.ts';
import { sequenceDistance } from './jitter-buffer.ts';
import type { MediaTrust } from './media-trust.ts';

/** Consecutive packets that prove a source other than the address and port in the SDP. */
const packetsOfProof = 3;
/** Time for which another source has to wait for the source in the SDP, unless that is unreachable. */
const firstClaimMs = 500;
/** Silence of the source before its stream (SSRC, sequence) is followed to another address. */
const rebindSilenceMs = 500;
/** Silence of the source before another stream from the SDP's or the signalling's address is accepted. */
const takeoverSilenceMs = 5_000;
/** A larger jump of the sequence number means another stream. */
const maxSequenceJump = 3_000;
const maxSuperseded = 8;
/** Packets sent to the SDP's address before a packet has come from it, if `unheard` is `limited`: 2 s of audio. */
const unheardPackets = 100;
/** After those, every 50th packet is sent, one a second: opens a NAT without flooding. */
const unheardEvery = 50;

/** Match of a source with the SDP, worst first. */
const fits = {
  none: 0,
  /** Another address, which a NAT can explain. */
  far: 1,
  /** The address of the SDP with another port, or the address of the signalling. */
  near: 2,
  exact: 3,
} as const;
type Fit = (typeof fits)[keyof typeof fits];

interface SourceCandidate {
  readonly address: string;
  readonly port: number;
  readonly ssrc: number;
  readonly fit: Fit;
  /** True if it continues the stream of the current source: same SSRC, following sequence numbers. */
  readonly isSameStream: boolean;
  next: number;
  count: number;
}

/**
 * A source that is not accepted again, unless an SDP names it: replaced by a new SDP, or active before it could know
 * our port.
 */
interface Superseded extends Endpoint {
  /** Address in the SDP that was in force for the source; null if it sent before any SDP. */
  readonly named: Endpoint | null;
}

const openTrust: MediaTrust = { mode: 'latch', signalling: null, isNatPlausible: false, unheard: 'allowed' };

/**
 * Decides which packets are the far end's, and where ours are sent.
 *
 * The address and port of the SDP always win, at once. Another source is accepted when it has sent three consecutive
 * packets, is at the SDP's or the signalling's address or a NAT is plausible (`MediaTrust`), and no better source
 * sends. If a NAT changes the address of a stream during the call, the stream is followed once the old address is
 * silent. A source replaced by a new SDP is not accepted again, unless a later SDP names it.
 * @see RFC 7362, on latching and its risks
 */
export class SourceLatch {
  #named: Endpoint;
  #trust: MediaTrust = openTrust;
  #isAuthenticated = false;
  #namedAtMs: number;
  #source: Endpoint | null = null;
  #fit: Fit = fits.none;
  #lastAtMs = 0;
  #ssrc = 0;
  #sequence = 0;
  #candidate: SourceCandidate | null = null;
  #superseded: Superseded[] = [];
  #heardAddress: string | null = null;
  #sentUnheard = 0;

  /** @param isAuthenticated true for SRTP: a sender of valid packets has the key of the call */
  constructor(named: Endpoint, nowMs: number, trust: MediaTrust = openTrust, isAuthenticated = false) {
    this.#named = named;
    this.#namedAtMs = nowMs;
    this.trust(trust, isAuthenticated);
  }

  /** Returns the destination: the source, or the address of the SDP before there is one. */
  get remote(): Endpoint {
    return this.#source ?? this.#named;
  }

  trust(trust: MediaTrust, isAuthenticated: boolean): void {
    this.#trust = trust;
    this.#isAuthenticated = isAuthenticated;
  }

  /** Sets the address of a new SDP. If it differs, the current source becomes obsolete. */
  expect(named: Endpoint, nowMs: number): void {
    const before = this.#named;
    if (isSame(named, before)) return;
    if (this.#source !== null) this.#supersede({ ...this.#source, named: before });
    this.#supersede({ ...before, named: before });
    this.#superseded = this.#superseded.filter(
      (each) => !isSame(each, named) && (each.named === null || !isSame(each.named, named)),
    );
    this.#named = named;
    this.#namedAtMs = nowMs;
    this.#source = null;
    this.#fit = fits.none;
    this.#candidate = null;
  }

  /** Excludes a source that sent before it could know our port: it belongs to an earlier call. */
  refuse(source: Endpoint): void {
    this.#supersede({ address: source.address, port: source.port, named: null });
  }

  isSource(from: RemoteInfo): boolean {
    return this.#source !== null && this.#source.port === from.port && this.#source.address === from.address;
  }

  /** Returns true if packets from an address may be accepted at all; checked before decryption. */
  mayAccept(from: RemoteInfo, nowMs: number): boolean {
    if (this.isSource(from)) return true;
    const fit = this.#fitOf(from);
    if (fit === fits.exact) return true;
    if (this.#trust.mode === 'strict' || this.#isSuperseded(from)) return false;
    if (this.#source === null || fit > this.#fit) return fit !== fits.none;
    return nowMs - this.#lastAtMs >= rebindSilenceMs;
  }

  /** Returns true if a packet is the far end's. */
  accepts(packet: RtpPacket, from: RemoteInfo, nowMs: number): boolean {
    if (!this.isSource(from)) {
      if (!this.mayAccept(from, nowMs)) return false;
      const fit = this.#fitOf(from);
      if (fit !== fits.exact && !this.#isProven(packet, from, fit, nowMs)) return false;
      this.#source = { address: from.address, port: from.port };
      this.#fit = fit === fits.none ? fits.far : fit;
      this.#candidate = null;
      this.#heard(from.address);
    }
    this.#lastAtMs = nowMs;
    this.#ssrc = packet.ssrc;
    this.#sequence = packet.sequence;
    return true;
  }

  /** Returns true if RTCP from an address is the far end's, on any port. */
  acceptsRtcp(address: string): boolean {
    return address === this.remote.address;
  }

  /** Records a report of the far end, which proves that it wants our packets. */
  heardRtcp(address: string): void {
    if (address === this.#named.address) this.#heard(address);
  }

  /** Returns true if the next packet may be sent to `remote`, and counts it. */
  maySend(): boolean {
    const { unheard } = this.#trust;
    if (this.#source !== null || unheard === 'allowed' || this.#named.address === this.#heardAddress) return true;
    if (unheard === 'withheld') return false;
    this.#sentUnheard += 1;
    return this.#sentUnheard <= unheardPackets || this.#sentUnheard % unheardEvery === 0;
  }

  /**
   * True if RTCP reports may be sent to `remote`. They are too few to flood it, so that only `withheld` prevents them.
   */
  get mayReport(): boolean {
    return this.#source !== null || this.#trust.unheard !== 'withheld';
  }

  #heard(address: string): void {
    this.#heardAddress = address;
    this.#sentUnheard = 0;
  }

  #fitOf({ address, port }: RemoteInfo): Fit {
    if (address === this.#named.address) return port === this.#named.port ? fits.exact : fits.near;
    if (address === this.#trust.signalling) return fits.near;
    return this.#trust.isNatPlausible || this.#isAuthenticated ? fits.far : fits.none;
  }

  #isSuperseded(from: RemoteInfo): boolean {
    return this.#superseded.some((each) => each.port === from.port && each.address === from.address);
  }

  #supersede(source: Superseded): void {
    if (this.#superseded.length === maxSuperseded) this.#superseded.shift();
    this.#superseded.push(source);
  }

  #isProven(packet: RtpPacket, from: RemoteInfo, fit: Fit, nowMs: number): boolean {
    const candidate = this.#follow(packet, from, fit);
    return candidate.count >= packetsOfProof && this.#mayTake(candidate, nowMs);
  }

  #mayTake({ fit, isSameStream }: SourceCandidate, nowMs: number): boolean {
    if (this.#source === null) {
      // An SDP address that is unreachable from here cannot send either, so that there is no need to wait for it.
      return this.#trust.unheard === 'withheld' || nowMs - this.#namedAtMs >= firstClaimMs;
    }
    if (fit > this.#fit) return true;
    const silentMs = nowMs - this.#lastAtMs;
    if (isSameStream) return silentMs >= rebindSilenceMs;
    return fit === fits.near && silentMs >= takeoverSilenceMs;
  }

  /**
   * Counts the consecutive packets of the best candidate; another candidate replaces it only if it matches at least as
   * well.
   */
  #follow(packet: RtpPacket, { address, port }: RemoteInfo, fit: Fit): SourceCandidate {
    const known = this.#candidate;
    const next = (packet.sequence + 1) & 0xffff;
    if (
      known !== null &&
      known.port === port &&
      known.address === address &&
      known.ssrc === packet.ssrc &&
      known.next === packet.sequence
    ) {
      known.count += 1;
      known.next = next;
      return known;
    }
    const ahead = sequenceDistance(this.#sequence, packet.sequence);
    const isSameStream = this.#source !== null && packet.ssrc === this.#ssrc && ahead > 0 && ahead <= maxSequenceJump;
    const candidate: SourceCandidate = { address, port, ssrc: packet.ssrc, fit, isSameStream, next, count: 1 };
    if (known === null || claim(candidate) >= claim(known)) this.#candidate = candidate;
    return candidate;
  }
}

function claim({ fit, isSameStream }: SourceCandidate): number {
  return isSameStream ? fits.exact : fit;
}

function isSame(a: Endpoint, b: Endpoint): boolean {
  return a.port === b.port && a.address === b.address;
}
