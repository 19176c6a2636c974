import type { CallEvent } from '../../domain/calls/call-event.ts';
import { lateMs } from './event-pages.ts';

/** Remembers which events of the last seconds a reader has had, so that one that it meets again is left out. */
export class RecentEvents {
  readonly #times = new Map<string, number>();
  #newestMs: number;
  #forgotAtMs: number;

  /** @param newestMs the time up to which the reader has read; events are remembered around the newest one */
  constructor(newestMs: number) {
    this.#newestMs = newestMs;
    this.#forgotAtMs = newestMs;
  }

  get newestMs(): number {
    return this.#newestMs;
  }

  /** False where the event was added before. */
  add({ id, created_at: createdAt }: CallEvent): boolean {
    if (this.#times.has(id)) return false;
    const atMs = Date.parse(createdAt);
    this.#times.set(id, atMs);
    this.#newestMs = Math.max(this.#newestMs, atMs);
    if (this.#newestMs - this.#forgotAtMs > lateMs) this.#forget();
    return true;
  }

  /** Forgets what is too old to be met again. */
  #forget(): void {
    this.#forgotAtMs = this.#newestMs;
    for (const [id, atMs] of this.#times) if (atMs < this.#newestMs - 2 * lateMs) this.#times.delete(id);
  }
}
