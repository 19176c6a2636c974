import type { Clock } from '@va/core';
import { TimerSlot } from '@va/media';

export interface SessionTimerListener {
  /** It is our turn to show that we are there. */
  onRefreshDue(): void;
  /** The peer has shown no life for too long. */
  onExpired(): void;
}

/** Ends a session whose far end is gone without a word, by refreshes that must come in time. @see RFC 4028 §10 */
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

  /** What has been agreed; null where nothing has. `ours` is whether the refreshes are. */
  get current(): { readonly seconds: number; readonly ours: boolean } | null {
    return this.#current;
  }

  /** Starts anew, after the answer to an INVITE and after each refresh. */
  run(seconds: number, ours: boolean): void {
    this.#current = { seconds, ours };
    this.#refresh.clear();
    if (ours) this.#refresh.set(seconds * 500, () => this.#listener.onRefreshDue());
    // Who waits for the other's refresh leaves a little early, so that the BYE arrives in time; see §10.
    const waitSeconds = ours ? seconds : seconds - Math.min(32, seconds / 3);
    this.#expiry.set(waitSeconds * 1_000, () => this.#listener.onExpired());
  }

  stop(): void {
    this.#current = null;
    this.#refresh.clear();
    this.#expiry.clear();
  }
}
