import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '../ports/clock.ts';

const resolutionMs = 20;
const windowMs = 2_000;
/** A few late moments, as when a module is loaded, do not tell that the process has too much to do. */
const leastSamples = 40;

/** How late the event loop has been of late. */
export class LoopLag {
  readonly #clock: Clock;
  readonly #histogram: IntervalHistogram;
  #sinceMs: number;
  #lastMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sinceMs = clock.nowMs();
    this.#histogram = monitorEventLoopDelay({ resolution: resolutionMs });
    this.#histogram.enable();
  }

  /** Milliseconds: of the last two seconds or so, where it is asked for all the time, else since it was asked before. */
  p95Ms(): number {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#sinceMs >= windowMs && this.#histogram.count >= leastSamples) {
      this.#lastMs = Math.max(0, this.#histogram.percentile(95) / 1e6 - resolutionMs);
      this.#histogram.reset();
      this.#sinceMs = nowMs;
    }
    return this.#lastMs;
  }

  stop(): void {
    this.#histogram.disable();
  }
}
