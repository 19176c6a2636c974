import type { Clock, DnsAnswer } from '@va/core/adapter';

interface CachedRecords<T> {
  readonly answer: Promise<DnsAnswer<T>>;
  expiresAtMs: number;
}

const maxEntries = 1_024;
/** Lifetime of negative results, and of expired records while the DNS does not respond. */
const retryMs = 30_000;

/** Caches DNS records for their lifetime; concurrent lookups of the same name are merged. */
export class RecordCache<T> {
  readonly #clock: Clock;
  readonly #lifeMs: (records: readonly T[]) => number;
  readonly #entries = new Map<string, CachedRecords<T>>();

  /** @param lifeMs lifetime of the records in milliseconds */
  constructor(clock: Clock, lifeMs: (records: readonly T[]) => number) {
    this.#clock = clock;
    this.#lifeMs = lifeMs;
  }

  /**
   * Returns the records of a key, from the cache or by a lookup. If the DNS does not respond, returns expired records,
   * because they most likely still apply.
   * @param lookUp looks the records up; must not reject
   */
  async get(key: string, lookUp: () => Promise<DnsAnswer<T>>): Promise<DnsAnswer<T>> {
    const known = this.#entries.get(key);
    if (known !== undefined && known.expiresAtMs > this.#clock.nowMs()) return known.answer;
    const answer = orExpired(lookUp(), known?.answer);
    // Concurrent callers wait for the lookup under way.
    const entry: CachedRecords<T> = { answer, expiresAtMs: Number.POSITIVE_INFINITY };
    this.#keep(key, entry);
    const found = await answer;
    entry.expiresAtMs = this.#clock.nowMs() + this.#life(found, await known?.answer);
    return found;
  }

  #life(answer: DnsAnswer<T>, expired: DnsAnswer<T> | undefined): number {
    if (answer.status === 'unanswered') return 0;
    return answer.status === 'absent' || answer === expired ? retryMs : this.#lifeMs(answer.records);
  }

  #keep(key: string, entry: CachedRecords<T>): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxEntries && oldest !== undefined) this.#entries.delete(oldest);
  }
}

async function orExpired<T>(
  lookup: Promise<DnsAnswer<T>>,
  expired: Promise<DnsAnswer<T>> | undefined,
): Promise<DnsAnswer<T>> {
  const answer = await lookup;
  if (answer.status !== 'unanswered' || expired === undefined) return answer;
  const previous = await expired;
  return previous.status === 'found' ? previous : answer;
}
