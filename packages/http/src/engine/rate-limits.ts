import type { Clock, Principal } from '@va/core';
import { HttpError } from './error-answer.ts';
import { MinuteCounter, type RateStatus } from './minute-counter.ts';

export interface RateLimitOptions {
  /** Requests of one API key; 100 by default, 0 for no limit. */
  readonly requestsPerMinute?: number;
  /** Requests of all keys of an organization; six times those of a key by default, so 600; 0 for no limit. */
  readonly requestsPerMinutePerOrganization?: number;
  /** Event streams that one API key has open at once; 20 by default, 0 for no limit. */
  readonly streamsPerKey?: number;
  /** Event streams that an organization has open at once; 100 by default, 0 for no limit. */
  readonly streamsPerOrganization?: number;
  /**
   * Requests of everybody together for the description of the API and its page, which need no key; 600 by default, 0 for no
   * limit.
   */
  readonly descriptionsPerMinute?: number;
  /** Control commands to one call; 10 by default, 0 for no limit. */
  readonly controlPerMinute?: number;
}

/** A limit of a route's own beside that of the key. */
export interface RouteLimit {
  readonly name: 'control' | 'description';
  /** What is counted, such as the id of a call; within the organization where there is one. */
  readonly key: string;
}

/** Of the routes that describe the API to everyone. */
export const descriptionLimit: RouteLimit = { name: 'description', key: '' };

/** The limits of one process: each node of a cluster counts for itself. */
export class RateLimits {
  readonly #requests: MinuteCounter | null;
  readonly #organizations: MinuteCounter | null;
  readonly #named: Readonly<Record<RouteLimit['name'], MinuteCounter | null>>;

  constructor(clock: Clock, options: RateLimitOptions = {}) {
    const { requestsPerMinute = 100, controlPerMinute = 10, descriptionsPerMinute = 600 } = options;
    const { requestsPerMinutePerOrganization = 6 * requestsPerMinute } = options;
    const counter = (limit: number): MinuteCounter | null => (limit > 0 ? new MinuteCounter(clock, limit) : null);
    this.#requests = counter(requestsPerMinute);
    this.#organizations = counter(requestsPerMinutePerOrganization);
    this.#named = { control: counter(controlPerMinute), description: counter(descriptionsPerMinute) };
  }

  /**
   * Counts a request for its key and its organization, and returns the status that is nearer to its limit; null where it is
   * not limited. A host that authenticates by its own means has no key ids: then the
   * subject within the organization counts.
   */
  takeRequest(caller: Principal): RateStatus | null {
    const own = this.#requests?.take(caller.keyId ?? `${caller.orgId} ${caller.subject ?? ''}`) ?? null;
    // What its key is refused does not count for the organization.
    if (own?.isExceeded) return own;
    return nearer(own, this.#organizations?.take(caller.orgId) ?? null);
  }

  /** What an answer shows that counts for no key, such as a 401; null where keys are not limited. */
  uncounted(): RateStatus | null {
    return this.#requests?.unused() ?? null;
  }

  /** @param orgId null for a route without a caller */
  take(orgId: string | null, { name, key }: RouteLimit): RateStatus | null {
    return this.#named[name]?.take(`${orgId ?? ''} ${key}`) ?? null;
  }
}

/** Throws `RequestError` 429 `rate_limit_exceeded`. */
export function refuseExceeded(status: RateStatus | null): void {
  if (status === null || !status.isExceeded) return;
  const { limit, retryAfterSeconds } = status;
  const message = `More than ${limit} requests in a minute. Try again in ${retryAfterSeconds} s.`;
  throw new HttpError(429, 'rate_limit_exceeded', message, { 'retry-after': String(retryAfterSeconds) });
}

/** Of two limits, the one that is nearer to its end. */
export function nearer(a: RateStatus | null, b: RateStatus | null): RateStatus | null {
  if (a === null || b === null) return a ?? b;
  return b.isExceeded || b.remaining < a.remaining ? b : a;
}

export function describeLimit(headers: Record<string, string>, status: RateStatus): void {
  headers['x-ratelimit-limit'] = String(status.limit);
  headers['x-ratelimit-remaining'] = String(status.remaining);
  headers['x-ratelimit-reset'] = String(status.resetSeconds);
}
