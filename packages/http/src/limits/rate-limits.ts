import type { Principal } from '@va/core';
import type { Clock } from '@va/core/adapter';
import { HttpError } from '../message/http-error.ts';
import { MinuteCounter, type RateStatus } from './minute-counter.ts';

/** Limits of each process. */
export interface RateLimitOptions {
  /** Requests a minute per API key; 100 by default, 0 for no limit. */
  readonly requestsPerMinute?: number;
  /**
   * Requests a minute per organization, over all keys; six times the limit per key by default (600), 0 for no limit.
   */
  readonly requestsPerMinutePerOrganization?: number;
  /** Open event streams per API key; 20 by default, 0 for no limit. */
  readonly streamsPerKey?: number;
  /** Open event streams per organization; 100 by default, 0 for no limit. */
  readonly streamsPerOrganization?: number;
  /**
   * Requests a minute, over all clients, for the API's description and reference page, which need no key; 600 by
   * default, 0 for no limit.
   */
  readonly descriptionsPerMinute?: number;
  /** Control commands a minute per call; 10 by default, 0 for no limit. */
  readonly controlPerMinute?: number;
  /** Samples of voices a minute per organization; 20 by default, 0 for no limit. */
  readonly voiceSamplesPerMinute?: number;
  /** Trials of tools a minute per agent; 30 by default, 0 for no limit. */
  readonly toolTrialsPerMinute?: number;
}

/** A limit of one route, in addition to the limit per key. */
export interface RouteLimit {
  readonly name: 'control' | 'description' | 'toolTrial' | 'voiceSample';
  /** The counted entity, such as a call id. Counted for each organization on a route with authentication. */
  readonly key: string;
}

/** The limit of the routes that describe the API without a key. */
export const descriptionLimit: RouteLimit = { name: 'description', key: '' };

/** The rate limits of one process. Nodes of a cluster count separately. */
export class RateLimits {
  readonly #requests: MinuteCounter | null;
  readonly #organizations: MinuteCounter | null;
  readonly #named: Readonly<Record<RouteLimit['name'], MinuteCounter | null>>;

  constructor(clock: Clock, options: RateLimitOptions = {}) {
    const { requestsPerMinute = 100, controlPerMinute = 10, descriptionsPerMinute = 600 } = options;
    const { requestsPerMinutePerOrganization = 6 * requestsPerMinute } = options;
    const { voiceSamplesPerMinute = 20, toolTrialsPerMinute = 30 } = options;
    const counter = (limit: number): MinuteCounter | null => (limit > 0 ? new MinuteCounter(clock, limit) : null);
    this.#requests = counter(requestsPerMinute);
    this.#organizations = counter(requestsPerMinutePerOrganization);
    this.#named = {
      control: counter(controlPerMinute),
      description: counter(descriptionsPerMinute),
      toolTrial: counter(toolTrialsPerMinute),
      voiceSample: counter(voiceSamplesPerMinute),
    };
  }

  /**
   * Counts a request for its key and its organization. Returns the status closer to its limit, or null without limits.
   * With a host's own authentication there are no key ids, and the subject within the organization is counted.
   */
  takeRequest(caller: Principal): RateStatus | null {
    const own = this.#requests?.take(caller.keyId ?? `${caller.orgId} ${caller.subject ?? ''}`) ?? null;
    // Requests beyond the limit of their key do not count for the organization.
    if (own?.isExceeded) return own;
    return nearer(own, this.#organizations?.take(caller.orgId) ?? null);
  }

  /** Returns the status shown in a response that counts for no key, such as a 401; null if keys are not limited. */
  uncounted(): RateStatus | null {
    return this.#requests?.unused() ?? null;
  }

  /**
   * Counts a request for a limit of its route.
   * @param orgId null for a route without authentication
   */
  take(orgId: string | null, { name, key }: RouteLimit): RateStatus | null {
    return this.#named[name]?.take(`${orgId ?? ''} ${key}`) ?? null;
  }
}

/** @throws RequestError 429 `rate_limit_exceeded` */
export function refuseExceeded(status: RateStatus | null): void {
  if (status === null || !status.isExceeded) return;
  const { limit, retryAfterSeconds } = status;
  const message = `More than ${limit} requests within a minute. Try again in ${retryAfterSeconds} s.`;
  throw new HttpError(429, 'rate_limit_exceeded', message, { 'retry-after': String(retryAfterSeconds) });
}

/** Returns the status with fewer requests left. */
export function nearer(a: RateStatus | null, b: RateStatus | null): RateStatus | null {
  if (a === null || b === null) return a ?? b;
  return b.isExceeded || b.remaining < a.remaining ? b : a;
}

/** Adds the headers that show a rate limit. */
export function describeLimit(headers: Record<string, string>, status: RateStatus): void {
  headers['x-ratelimit-limit'] = String(status.limit);
  headers['x-ratelimit-remaining'] = String(status.remaining);
  headers['x-ratelimit-reset'] = String(status.resetSeconds);
}
