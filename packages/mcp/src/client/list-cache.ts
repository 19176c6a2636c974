import type { Clock, ServedTool } from '@va/core/adapter';

interface CachedList {
  tools: readonly ServedTool[] | null;
  fetchedAtMs: number;
  failedAtMs: number;
  failure: unknown;
  fetching: Promise<readonly ServedTool[]> | null;
}

/** Maximum number of cached lists; the least recently used one is dropped first. */
const maxEntries = 1_000;
/** Time after a failure in which no request is sent, so that calls do not wait for a failing server. */
const retryAfterMs = 15_000;

/** Lists of tools by server, shared by all calls. */
export class ListCache {
  readonly #clock: Clock;
  readonly #maxAgeMs: number;
  readonly #entries = new Map<string, CachedList>();

  constructor(clock: Clock, maxAgeMs: number) {
    this.#clock = clock;
    this.#maxAgeMs = maxAgeMs;
  }

  /**
   * Returns the list of a server. While the server fails, returns its last list; without one, throws the failure.
   * @param fetch requests the list; concurrent callers share one request
   */
  async get(key: string, fetch: () => Promise<readonly ServedTool[]>): Promise<readonly ServedTool[]> {
    const entry = this.#entry(key);
    const nowMs = this.#clock.nowMs();
    if (entry.tools !== null && nowMs - entry.fetchedAtMs < this.#maxAgeMs) return entry.tools;
    if (entry.fetching === null && nowMs - entry.failedAtMs < retryAfterMs) return stale(entry, entry.failure);
    entry.fetching ??= fetch().finally(() => {
      entry.fetching = null;
    });
    try {
      entry.tools = await entry.fetching;
      entry.fetchedAtMs = this.#clock.nowMs();
      return entry.tools;
    } catch (thrown) {
      entry.failedAtMs = this.#clock.nowMs();
      entry.failure = thrown;
      return stale(entry, thrown);
    }
  }

  /** Discards the failure of a server, so that a check of its configuration sends a request at once. */
  retry(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.failedAtMs = Number.NEGATIVE_INFINITY;
  }

  #entry(key: string): CachedList {
    const known = this.#entries.get(key);
    const entry: CachedList = known ?? {
      tools: null,
      fetchedAtMs: 0,
      failedAtMs: Number.NEGATIVE_INFINITY,
      failure: null,
      fetching: null,
    };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxEntries && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }
}

function stale({ tools }: CachedList, failure: unknown): readonly ServedTool[] {
  if (tools === null) throw failure;
  return tools;
}
