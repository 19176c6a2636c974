import type { Clock } from '@va/core/adapter';
import { TimerSlot } from '@va/media';

interface SessionTimerListener {
  /** The local side has to refresh. */
  onRefreshDue(): void;
  /** The session has expired without a successful refresh. */
  onExpired(): void;
}

/**
 * Reports that the local side has to refresh a session, and that a session has expired because its peer has vanished.
 * @see RFC 4028 §10
 */
export class SessionTimer {
  readonly #refresh: TimerSlot;
  readonly #expiry: TimerSlot;
  readonly #listener: SessionTimerListener;
  #current: { readonly seconds: number; readonly ours: boolean } | null = null;

  constructor(clock: Clock, listener: SessionTimerListener) {
    this.#refresh = new TimerSlot(clock);
    this.#expiry = new TimerSlot(clock);
    this.#listener = listener;
  }

  /** Agreed timer; null without one. `ours` is true if the local side refreshes. */
  get current(): { readonly seconds: number; readonly ours: boolean } | null {
    return this.#current;
  }

  /** Restarts the timer, after the answer to an INVITE and after each refresh. */
  run(seconds: number, ours: boolean): void {
    this.#current = { seconds, ours };
    this.#refresh.clear();
    if (ours) this.#refresh.set(seconds * 500, () => this.#listener.onRefreshDue());
    // The side that waits for refreshes ends slightly early, so that its BYE arrives in time; see §10.
    const waitSeconds = ours ? seconds : seconds - Math.min(32, seconds / 3);
    this.#expiry.set(waitSeconds * 1_000, () => this.#listener.onExpired());
  }

  stop(): void {
    this.#current = null;
    this.#refresh.clear();
    this.#expiry.clear();
  }
}
