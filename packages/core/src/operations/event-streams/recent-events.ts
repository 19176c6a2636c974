import type { CallEvent } from '../../domain/calls/call-event.ts';
import { lateMs } from './event-pages.ts';

/** Remembers the events of the last seconds that a reader has had, to leave out repetitions. */
export class RecentEvents {
  readonly #times = new Map<string, number>();
  #newestMs: number;
  #forgotAtMs: number;

  /** @param newestMs time up to which the reader has read; events around the newest one are remembered */
  constructor(newestMs: number) {
    this.#newestMs = newestMs;
    this.#forgotAtMs = newestMs;
  }

  get newestMs(): number {
    return this.#newestMs;
  }

  /** Returns false if the event was added before. */
  add({ id, created_at: createdAt }: CallEvent): boolean {
    if (this.#times.has(id)) return false;
    const atMs = Date.parse(createdAt);
    this.#times.set(id, atMs);
    this.#newestMs = Math.max(this.#newestMs, atMs);
    if (this.#newestMs - this.#forgotAtMs > lateMs) this.#forget();
    return true;
  }

  /** Forgets events too old to be repeated. */
  #forget(): void {
    this.#forgotAtMs = this.#newestMs;
    for (const [id, atMs] of this.#times) if (atMs < this.#newestMs - 2 * lateMs) this.#times.delete(id);
  }
}
