import type { Clock, Timer } from '@va/core/adapter';

const frameMs = 20;
/** After a longer stall the missed ticks are skipped, as a phone would do. */
const maxLateMs = 200;

/**
 * Ticks every 20 ms on an absolute schedule: each timer is set to the due time of the tick, so that delays do not
 * accumulate.
 */
export class Pacer {
  readonly #clock: Clock;
  readonly #tick: (nowMs: number) => void;
  #timer: Timer | null = null;
  #dueAtMs = 0;

  constructor(clock: Clock, tick: (nowMs: number) => void) {
    this.#clock = clock;
    this.#tick = tick;
  }

  start(): void {
    this.#dueAtMs = this.#clock.nowMs();
    this.#arm();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  #arm(): void {
    this.#timer = this.#clock.setTimer(Math.max(0, this.#dueAtMs - this.#clock.nowMs()), () => this.#run());
  }

  #run(): void {
    const nowMs = this.#clock.nowMs();
    // A timer may fire a fraction of a millisecond early; the schedule decides what is due.
    if (nowMs < this.#dueAtMs - 1) {
      this.#arm();
      return;
    }
    if (nowMs - this.#dueAtMs > maxLateMs) this.#dueAtMs = nowMs;
    this.#dueAtMs += frameMs;
    this.#arm();
    this.#tick(nowMs);
  }
}
