import { type Clock, sourceKey } from '@va/core/adapter';
import type { Envelope } from '../message/envelope.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import type { Flow } from './flow.ts';
import { KnownSources } from './known-sources.ts';
import { ListedSources } from './listed-sources.ts';
import { type UntrustedSourceLimitOptions, UntrustedSourceLimits } from './untrusted-source-limits.ts';

/** User-Agent values of tools that scan the Internet for open SIP servers. */
const scanners =
  /friendly-(?:scanner|request)|sipvicious|sipcli|sip-?scan|sundayddr|\biwar\b|\bsivus\b|pplsip|\bsvmap\b|\bsvwar\b/i;

/**
 * Rejections of requests that are typical of scanners: guessed numbers, names and passwords, and malformed messages.
 */
const suspicious: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 407, 416, 501, 505, 513, 604]);

/** Limits of sources that are not known as trunks. */
export interface SourceGuardLimits extends UntrustedSourceLimitOptions {
  /** Number of consecutive rejections that are sent to one address. Default: 100. */
  readonly refusals?: number;
  /** Rejections per second beyond that. Default: 5. */
  readonly refusalsPerSecond?: number;
  /** Time for which the address of a trunk that has called is exempt from limits. Default: an hour. */
  readonly trustedMs?: number;
  /** Addresses and blocks that are exempt from limits, such as `192.0.2.0/24`: a proxy, or the providers' own. */
  readonly trusted?: readonly string[];
}

const defaultRefusals = 100;
const defaultRefusalsPerSecond = 5;
const defaultTrustedMs = 3_600_000;
const maxSources = 4_096;

interface RejectionBudget {
  tokens: number;
  refilledAtMs: number;
}

/** Reason for not answering a request; null when it is answered. */
export type DropReason = 'scanner' | 'rate' | null;

/**
 * Hides the service from scanners and bounds their cost: their requests get no response, and neither do those of an
 * address that is rejected repeatedly. Addresses of trunks that have called, and those that have acknowledged a
 * response, are exempt from the latter for an hour, so that nobody can lock a provider out by sending garbage in its
 * name.
 */
export class SourceGuard {
  readonly #clock: Clock;
  readonly #refusals: number;
  readonly #refusalsPerSecond: number;
  readonly #listed: ListedSources;
  readonly #trunks: KnownSources;
  /** Verified addresses: they have sent back a tag that only the receiver of a response can know. */
  readonly #verified: KnownSources;
  readonly #sources = new Map<string, RejectionBudget>();
  /** Resources in use by untrusted sources. */
  readonly untrusted: UntrustedSourceLimits;

  /** @throws VaError `sip_source_guard` when `trusted` has an entry that is neither an address nor a block */
  constructor(clock: Clock, limits: SourceGuardLimits = {}) {
    const trustedMs = limits.trustedMs ?? defaultTrustedMs;
    this.#clock = clock;
    this.#refusals = limits.refusals ?? defaultRefusals;
    this.#refusalsPerSecond = limits.refusalsPerSecond ?? defaultRefusalsPerSecond;
    this.#listed = new ListedSources(limits.trusted ?? []);
    this.#trunks = new KnownSources(clock, trustedMs);
    this.#verified = new KnownSources(clock, trustedMs);
    this.untrusted = new UntrustedSourceLimits(limits, (flow) => this.trusts(flow));
  }

  /** Tells whether to leave a request unanswered. Requests of a known call are always answered. */
  dropReason(request: SipRequest, envelope: Envelope, flow: Flow): DropReason {
    if (envelope.toTag !== '' || request.method === 'ACK' || request.method === 'CANCEL') return null;
    const { headers } = request;
    if (scanners.test(headers.get('User-Agent') ?? '') || scanners.test(headers.get('From') ?? '')) return 'scanner';
    return this.maySendRejection(flow) ? null : 'rate';
  }

  /** Tells whether one more rejection may be sent to that address. */
  maySendRejection(flow: Flow): boolean {
    if (this.trusts(flow) || this.#verified.has(flow.remote.address)) return true;
    const source = this.#sources.get(sourceKey(flow.remote.address));
    return source === undefined || this.#refill(source) >= 1;
  }

  /** Counts a response if it is a rejection that is typical of scanners. */
  onResponse(response: SipResponse, flow: Flow): void {
    if (!suspicious.has(response.status)) return;
    const source = this.#source(flow);
    source.tokens = Math.max(0, this.#refill(source) - 1);
  }

  /** Exempts the address of a trunk from limits for the trust period. */
  trust(flow: Flow): void {
    this.#trunks.add(flow.remote.address);
  }

  /** Marks the source address as verified: it has acknowledged a response with the tag of that response. */
  markVerified(flow: Flow): void {
    this.#verified.add(flow.remote.address);
  }

  /** Returns whether the source is listed, or a trunk that has called within the trust period. */
  trusts({ remote: { address } }: Flow): boolean {
    return this.#trunks.has(address) || this.#listed.has(address);
  }

  /** Returns whether only few bytes may be sent to the source, because its address may be forged. */
  mayBeForged(flow: Flow): boolean {
    return !flow.reliable && !this.#verified.has(flow.remote.address) && !this.trusts(flow);
  }

  #refill(source: RejectionBudget): number {
    const nowMs = this.#clock.nowMs();
    const regained = ((nowMs - source.refilledAtMs) / 1_000) * this.#refusalsPerSecond;
    source.tokens = Math.min(this.#refusals, source.tokens + regained);
    source.refilledAtMs = nowMs;
    return source.tokens;
  }

  #source(flow: Flow): RejectionBudget {
    const address = sourceKey(flow.remote.address);
    const known = this.#sources.get(address);
    const source = known ?? { tokens: this.#refusals, refilledAtMs: this.#clock.nowMs() };
    this.#sources.delete(address);
    this.#sources.set(address, source);
    const [oldest] = this.#sources.keys();
    if (this.#sources.size > maxSources && oldest !== undefined) this.#sources.delete(oldest);
    return source;
  }
}
