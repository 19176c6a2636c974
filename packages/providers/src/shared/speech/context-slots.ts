import type { Clock, Timer } from '@va/core/adapter';

/** Limits of a service for the contexts of a connection. */
export interface SlotLimits {
  /** Maximum number of contexts on one connection. */
  readonly maxContexts: number;
  /** Time after which a closed context is considered gone without a confirmation. */
  readonly closingTimeoutMs: number;
}

/**
 * Counts the contexts of a connection. The service continues a cancelled context until it has spoken the text that it
 * received before, so the slot is freed only when the service confirms the end, or after `closingTimeoutMs`.
 */
export class ContextSlots {
  readonly #clock: Clock;
  readonly #limits: SlotLimits;
  readonly #onFree: (confirmed: boolean) => void;
  readonly #open = new Set<string>();
  readonly #closing = new Map<string, Timer>();

  /**
   * @param onFree called when a closing context is gone: true if the service has confirmed it, false after the timeout
   */
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

  /** Marks a context as closing: it was cancelled before the service had finished it. */
  closing(contextId: string): void {
    if (!this.#open.delete(contextId)) return;
    this.#closing.set(
      contextId,
      this.#clock.setTimer(this.#limits.closingTimeoutMs, () => this.#gone(contextId, false)),
    );
  }

  /** Frees the slot of a context that the service has finished. */
  release(contextId: string): void {
    this.#open.delete(contextId);
    this.#gone(contextId, true);
  }

  /** Forgets all contexts, because their connection was closed or lost. */
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
