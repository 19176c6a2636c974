import type { Clock, Timer } from '@va/core/adapter';

/** Maximum number of contexts on one connection. The service rejects a sixth with `max_active_conversations`. */
const maxContexts = 5;
/** Time after which a closed context is considered gone without a confirmation by `isFinal`. */
const closingTimeoutMs = 5_000;

/**
 * Counts the contexts that the service has on a connection. A closed context continues until the service has spoken the
 * text that it holds: its slot is free when the service has sent `isFinal`.
 */
export class ContextSlots {
  readonly #clock: Clock;
  readonly #onFree: () => void;
  readonly #open = new Set<string>();
  readonly #closing = new Map<string, Timer>();

  /** @param onFree called when a closing context is gone */
  constructor(clock: Clock, onFree: () => void) {
    this.#clock = clock;
    this.#onFree = onFree;
  }

  get hasFree(): boolean {
    return this.#open.size + this.#closing.size < maxContexts;
  }

  /** True when every slot is taken by a context without a listener. */
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
      this.#clock.setTimer(closingTimeoutMs, () => this.release(contextId)),
    );
  }

  /** The service has finished the context. */
  release(contextId: string): void {
    this.#open.delete(contextId);
    const timer = this.#closing.get(contextId);
    if (timer === undefined) return;
    timer.cancel();
    this.#closing.delete(contextId);
    this.#onFree();
  }

  /** The connection is lost with all its contexts. */
  clear(): void {
    this.#open.clear();
    for (const timer of this.#closing.values()) timer.cancel();
    this.#closing.clear();
  }
}
