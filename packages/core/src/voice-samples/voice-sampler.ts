import { createHash } from 'node:crypto';
import { RequestError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import { SampleCache, type SampleOwner } from './sample-cache.ts';
import { SharedWork } from './shared-work.ts';

export interface SamplerLimits {
  /** Maximum concurrent syntheses. */
  readonly maxRunning: number;
  readonly maxRunningPerOrganization: number;
}

const defaults: SamplerLimits = { maxRunning: 16, maxRunningPerOrganization: 3 };
const retryAfterSeconds = 2;

/** Request for a sample. */
export interface SampleRequest {
  readonly orgId: string;
  /** The only organization that may hear the sample; null if all may. */
  readonly owner: SampleOwner;
  /** All values that the audio depends on; part of the cache key. */
  readonly contents: readonly unknown[];
  /** Aborts when the listener leaves. */
  readonly signal: AbortSignal | undefined;
}

/** Provides samples from a cache, or synthesizes them, once for all concurrent requests for the same sample. */
export class VoiceSampler {
  readonly #limits: SamplerLimits;
  readonly #cache: SampleCache;
  readonly #running = new Map<string, { readonly orgId: string; readonly work: SharedWork<Uint8Array> }>();

  constructor(clock: Clock, { limits = {}, cache = new SampleCache(clock) }: SamplerOptions = {}) {
    this.#limits = { ...defaults, ...limits };
    this.#cache = cache;
  }

  /**
   * @param synthesize makes the sample; its signal aborts when nobody waits any more
   * @throws RequestError 429 `rate_limit_exceeded`; what `synthesize` throws; the reason of the signal
   */
  async sample(request: SampleRequest, synthesize: (signal: AbortSignal) => Promise<Uint8Array>): Promise<Uint8Array> {
    const { owner, signal } = request;
    const key = createHash('sha256')
      .update(JSON.stringify([owner, ...request.contents]))
      .digest('base64');
    // Otherwise the synthesis would start with no listener whose leaving aborts it.
    signal?.throwIfAborted();
    const known = this.#cache.find(key);
    if (known !== null) return known;
    const running = this.#running.get(key);
    if (running !== undefined && !running.work.isAborted) return await running.work.join(signal);
    return await this.#start(key, request, synthesize).join(signal);
  }

  #start(
    key: string,
    { orgId, owner }: SampleRequest,
    synthesize: (signal: AbortSignal) => Promise<Uint8Array>,
  ): SharedWork<Uint8Array> {
    this.#requireRoom(orgId);
    const entry = {
      orgId,
      work: new SharedWork(async (signal) => {
        try {
          const audio = await synthesize(signal);
          this.#cache.keep(key, owner, audio);
          return audio;
        } finally {
          // The entry of an aborted synthesis may have been replaced.
          if (this.#running.get(key) === entry) this.#running.delete(key);
        }
      }),
    };
    this.#running.set(key, entry);
    return entry.work;
  }

  #requireRoom(orgId: string): void {
    const { maxRunning, maxRunningPerOrganization } = this.#limits;
    const own = [...this.#running.values()].filter((each) => each.orgId === orgId).length;
    if (own < maxRunningPerOrganization && this.#running.size < maxRunning) return;
    const message =
      own < maxRunningPerOrganization
        ? 'This process makes as many samples of voices as it may at a time.'
        : `The organization has ${maxRunningPerOrganization} samples of voices in the making, which is the limit.`;
    throw new RequestError(429, 'rate_limit_exceeded', message, [], { retryAfterSeconds });
  }
}

export interface SamplerOptions {
  readonly limits?: Partial<SamplerLimits>;
  readonly cache?: SampleCache;
}
