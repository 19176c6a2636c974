import { createHash } from 'node:crypto';
import { RequestError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import { SampleCache, type SampleOwner } from './sample-cache.ts';
import { SharedWork } from './shared-work.ts';

export interface SamplerLimits {
  /** Syntheses at the same time. */
  readonly maxRunning: number;
  readonly maxRunningPerOrganization: number;
}

const defaults: SamplerLimits = { maxRunning: 16, maxRunningPerOrganization: 3 };
const retryAfterSeconds = 2;

/** A sample to be found or made. */
export interface SampleRequest {
  readonly orgId: string;
  /** Organization that alone may hear it; null if others may share it. */
  readonly owner: SampleOwner;
  /** All that the audio depends on. */
  readonly contents: readonly unknown[];
  /** Aborts when the listener leaves. */
  readonly signal: AbortSignal | undefined;
}

/** Finds samples, or has them made once for all who wait for the same one. Keeps them for a while. */
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
    // Nobody would wait for the sample, so nothing would abort its synthesis.
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
          // Another one may have taken the place of an aborted one.
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
