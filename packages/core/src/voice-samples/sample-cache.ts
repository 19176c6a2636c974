import type { Clock } from '../ports/clock.ts';

export interface SampleCacheLimits {
  readonly maxBytes: number;
  /** Limit per organization for the samples that only this organization may hear. */
  readonly maxBytesPerOwner: number;
  readonly maxEntries: number;
  /** Time for which a sample is kept: vendors change their voices. */
  readonly maxAgeMs: number;
}

const defaults: SampleCacheLimits = {
  maxBytes: 16 * 1_024 * 1_024,
  maxBytesPerOwner: 2 * 1_024 * 1_024,
  maxEntries: 200,
  maxAgeMs: 24 * 3_600_000,
};

/** The only organization that may hear a sample; null if all may. */
export type SampleOwner = string | null;

interface CachedSample {
  readonly owner: SampleOwner;
  readonly audio: Uint8Array;
  readonly storedAtMs: number;
}

/** Samples of voices in memory; the least recently used ones are dropped. */
export class SampleCache {
  readonly #clock: Clock;
  readonly #limits: SampleCacheLimits;
  readonly #entries = new Map<string, CachedSample>();
  #bytes = 0;

  constructor(clock: Clock, limits: Partial<SampleCacheLimits> = {}) {
    this.#clock = clock;
    this.#limits = { ...defaults, ...limits };
  }

  get bytes(): number {
    return this.#bytes;
  }

  find(key: string): Uint8Array | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    this.#entries.delete(key);
    if (this.#clock.nowMs() - entry.storedAtMs > this.#limits.maxAgeMs) {
      this.#bytes -= entry.audio.length;
      return null;
    }
    this.#entries.set(key, entry);
    return entry.audio;
  }

  keep(key: string, owner: SampleOwner, audio: Uint8Array): void {
    const { maxBytes, maxBytesPerOwner, maxEntries } = this.#limits;
    if (audio.length > maxBytes || (owner !== null && audio.length > maxBytesPerOwner)) return;
    this.#drop(key);
    this.#entries.set(key, { owner, audio, storedAtMs: this.#clock.nowMs() });
    this.#bytes += audio.length;
    if (owner !== null) this.#trimOwner(owner, maxBytesPerOwner);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= maxBytes && this.#entries.size <= maxEntries) return;
      this.#drop(oldest);
    }
  }

  #trimOwner(owner: string, maxBytes: number): void {
    const own = [...this.#entries].filter(([, entry]) => entry.owner === owner);
    let bytes = own.reduce((sum, [, { audio }]) => sum + audio.length, 0);
    for (const [key, { audio }] of own) {
      if (bytes <= maxBytes) return;
      this.#drop(key);
      bytes -= audio.length;
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.audio.length;
  }
}
