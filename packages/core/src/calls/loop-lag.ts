import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '../ports/clock.ts';

const resolutionMs = 20;
const windowMs = 3_000;
/** Fewer tell of single moments, as when a module is loaded. */
const leastSamples = 50;

/** How late the event loop has been of late. */
export class LoopLag {
  readonly #clock: Clock;
  readonly #histogram: IntervalHistogram;
  #sinceMs: number;
  /** Of the last two spans of time that were measured, the older first. */
  #lastMs: readonly [number, number] = [0, 0];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sinceMs = clock.nowMs();
    this.#histogram = monitorEventLoopDelay({ resolution: resolutionMs });
    this.#histogram.enable();
  }

  /**
   * Milliseconds beyond the interval of the measurement, of two spans in a row of three seconds or more (they end when this is asked): the
   * lower one, as a burst is none of this.
   */
  p95Ms(): number {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#sinceMs >= windowMs && this.#histogram.count >= leastSamples) {
      this.#lastMs = [this.#lastMs[1], Math.max(0, this.#histogram.percentile(95) / 1e6 - resolutionMs)];
      this.#histogram.reset();
      this.#sinceMs = nowMs;
    }
    return Math.min(...this.#lastMs);
  }

  stop(): void {
    this.#histogram.disable();
  }
}
