import type { Clock } from '@va/core';
import type { Envelope } from '../message/envelope.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import type { Flow } from './flow.ts';
import { sourceKey } from './source-key.ts';

/** What the tools that search the Internet for open SIP servers call themselves. */
const scanners =
  /friendly-(?:scanner|request)|sipvicious|sipcli|sip-?scan|sundayddr|\biwar\b|\bsivus\b|pplsip|\bsvmap\b|\bsvwar\b/i;

/** Refusals of what only strangers try: numbers, names and passwords at random, and what is not SIP at all. */
const suspicious: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 407, 416, 501, 505, 513, 604]);

/** What an address may try before it is left without an answer. */
export interface SourceGuardLimits {
  /** So many refusals in a row are answered to one address: 100 by default. */
  readonly refusals?: number;
  /** And then so many in a second: 5 by default. */
  readonly refusalsPerSecond?: number;
  /** For so long an address that a call was answered to has no limits: an hour by default. */
  readonly trustedMs?: number;
}

const defaultRefusals = 100;
const defaultRefusalsPerSecond = 5;
const defaultTrustedMs = 3_600_000;
const maxSources = 4_096;

interface Source {
  tokens: number;
  filledAtMs: number;
  trustedUntilMs: number;
}

/** Why a request is not answered; null when it is. */
export type DropReason = 'scanner' | 'rate' | null;

/**
 * Keeps scanners from finding us and from costing us much: they get no answer, and neither does an address that is refused
 * again and again. An address that a call was answered to is believed for an hour, so that nobody can shut a provider out by
 * sending nonsense in its name.
 */
export class SourceGuard {
  readonly #clock: Clock;
  readonly #refusals: number;
  readonly #refusalsPerSecond: number;
  readonly #trustedMs: number;
  readonly #sources = new Map<string, Source>();

  constructor(clock: Clock, limits: SourceGuardLimits = {}) {
    this.#clock = clock;
    this.#refusals = limits.refusals ?? defaultRefusals;
    this.#refusalsPerSecond = limits.refusalsPerSecond ?? defaultRefusalsPerSecond;
    this.#trustedMs = limits.trustedMs ?? defaultTrustedMs;
  }

  /** Whether a request is left without an answer. What belongs to a call that is known always gets one. */
  judge(request: SipRequest, envelope: Envelope, flow: Flow): DropReason {
    if (envelope.toTag !== '' || request.method === 'ACK' || request.method === 'CANCEL') return null;
    const { headers } = request;
    if (scanners.test(headers.get('User-Agent') ?? '') || scanners.test(headers.get('From') ?? '')) return 'scanner';
    return this.answersRefusal(flow) ? null : 'rate';
  }

  /** Whether one more refusal may go to that address. */
  answersRefusal(flow: Flow): boolean {
    const source = this.#sources.get(sourceKey(flow.remote.address));
    return source === undefined || this.#isTrusted(source) || this.#fill(source) >= 1;
  }

  /** What we answer tells what the address is like. */
  onResponse(response: SipResponse, flow: Flow): void {
    const { status } = response;
    if (suspicious.has(status)) {
      const source = this.#source(flow);
      source.tokens = Math.max(0, this.#fill(source) - 1);
    } else if (status >= 200 && status < 300 && (response.headers.get('CSeq') ?? '').endsWith('INVITE')) {
      this.#source(flow).trustedUntilMs = this.#clock.nowMs() + this.#trustedMs;
    }
  }

  /** Whether the source is known to be where it says: a call was answered to it within the time of trust. */
  trusts(flow: Flow): boolean {
    const source = this.#sources.get(sourceKey(flow.remote.address));
    return source !== undefined && this.#isTrusted(source);
  }

  #isTrusted(source: Source): boolean {
    return source.trustedUntilMs > this.#clock.nowMs();
  }

  #fill(source: Source): number {
    const nowMs = this.#clock.nowMs();
    const regained = ((nowMs - source.filledAtMs) / 1_000) * this.#refusalsPerSecond;
    source.tokens = Math.min(this.#refusals, source.tokens + regained);
    source.filledAtMs = nowMs;
    return source.tokens;
  }

  #source(flow: Flow): Source {
    const address = sourceKey(flow.remote.address);
    const known = this.#sources.get(address);
    const source = known ?? {
      tokens: this.#refusals,
      filledAtMs: this.#clock.nowMs(),
      trustedUntilMs: Number.NEGATIVE_INFINITY,
    };
    this.#sources.delete(address);
    this.#sources.set(address, source);
    const [oldest] = this.#sources.keys();
    if (this.#sources.size > maxSources && oldest !== undefined) this.#sources.delete(oldest);
    return source;
  }
}
