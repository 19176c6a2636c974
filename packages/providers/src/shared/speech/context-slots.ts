import type { Clock, Timer } from '@va/core/adapter';

/** Limits of a service. */
export interface SlotLimits {
  /** Maximum number of contexts on one connection. */
  readonly maxContexts: number;
  /** Time after which a closed context is considered gone without a confirmation. */
  readonly closingTimeoutMs: number;
}

/**
 * Counts the contexts that the service has on a connection. A closed context continues until the service has spoken the
 * text that it holds: its slot is free when the service has confirmed the end.
 */
export class ContextSlots {
  readonly #clock: Clock;
  readonly #limits: SlotLimits;
  readonly #onFree: (confirmed: boolean) => void;
  readonly #open = new Set<string>();
  readonly #closing = new Map<string, Timer>();

  /** @param onFree called when a closing context is gone, as the service has confirmed, or as it has not in time */
  constructor(clock: Clock, limits: SlotLimits, onFree: (confirmed: boolean) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#onFree = onFree;
  }

  get hasFree(): boolean {
    return this.#open.size + this.#closing.size < this.#limits.maxContexts;
  }

  /** True when cancelled contexts take every slot. */
  get isBlocked(): boolean {
    return !this.hasFree && this.#open.size === 0;
  }

  take(contextId: string): void {
    this.#open.add(contextId);
  }

  /** The context was closed before the service had finished it. */
  closing(contextId: string): void {
    if (!this.#open.delete(contextId)) return;
    this.#closing.set(
      contextId,
      this.#clock.setTimer(this.#limits.closingTimeoutMs, () => this.#gone(contextId, false)),
    );
  }

  /** The service has finished the context. */
  release(contextId: string): void {
    this.#open.delete(contextId);
    this.#gone(contextId, true);
  }

  /** The connection is lost with all its contexts. */
  clear(): void {
    this.#open.clear();
    for (const timer of this.#closing.values()) timer.cancel();
    this.#closing.clear();
  }

  #gone(contextId: string, confirmed: boolean): void {
    const timer = this.#closing.get(contextId);
    if (timer === undefined) return;
    timer.cancel();
    this.#closing.delete(contextId);
    this.#onFree(confirmed);
  }
}
