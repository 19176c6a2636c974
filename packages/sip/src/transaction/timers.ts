import type { Clock, Timer } from '@va/core';

/** The base values of all transaction timers. @see RFC 3261 §17.1.1.1 */
export interface SipTimers {
  /** Estimated round-trip time. */
  readonly t1Ms: number;
  /** Longest interval between two retransmissions of a non-INVITE request or an INVITE response. */
  readonly t2Ms: number;
  /** Longest time a message stays in the network. */
  readonly t4Ms: number;
}

export const defaultTimers: SipTimers = { t1Ms: 500, t2Ms: 4_000, t4Ms: 5_000 };

/** How long a transaction tries: timers B, D, F, H, J, L and M. */
export function transactionLifeMs(timers: SipTimers): number {
  return 64 * timers.t1Ms;
}

/** A place for one timer: setting it again replaces it. */
export class TimerSlot {
  readonly #clock: Clock;
  #timer: Timer | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(delayMs: number, run: () => void): void {
    this.clear();
    this.#timer = this.#clock.setTimer(delayMs, () => {
      this.#timer = null;
      run();
    });
  }

  /** Runs `resend` after `firstMs`, then at intervals that double up to `maxMs`, until cleared. */
  retransmit(firstMs: number, maxMs: number, resend: () => void): void {
    this.set(firstMs, () => {
      this.retransmit(Math.min(firstMs * 2, maxMs), maxMs, resend);
      resend();
    });
  }

  clear(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }
}
