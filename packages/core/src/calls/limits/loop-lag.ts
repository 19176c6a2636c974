import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock, Timer } from '../../ports/clock.ts';

const resolutionMs = 20;
const windowMs = 3_000;
/** Minimum samples per window: fewer would show single events, such as the loading of a module. */
const leastSamples = 50;

/** Event-loop delay as measured by `perf_hooks`, in nanoseconds, including the sampling interval. */
export interface DelayHistogram {
  readonly count: number;
  percentile(percentile: number): number;
  reset(): void;
  enable(): unknown;
  disable(): unknown;
}

/** Measures the event-loop delay in windows of three seconds. */
export class LoopLag {
  readonly #clock: Clock;
  readonly #histogram: DelayHistogram;
  #timer: Timer | null = null;
  /** 95th percentiles of the last two windows, the older first. */
  #lastMs: readonly [number, number] = [0, 0];

  constructor(clock: Clock, histogram: DelayHistogram = monitorEventLoopDelay({ resolution: resolutionMs })) {
    this.#clock = clock;
    this.#histogram = histogram;
  }

  /**
   * Returns the lower of the last two windows' 95th percentiles, in milliseconds, so that a single burst does not
   * count.
   */
  get p95Ms(): number {
    return Math.min(...this.#lastMs);
  }

  start(): void {
    this.#histogram.enable();
    this.#arm();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#histogram.disable();
  }

  #arm(): void {
    this.#timer = this.#clock.setTimer(windowMs, () => {
      this.#endWindow();
      this.#arm();
    });
  }

  /** Extends a window with too few samples. */
  #endWindow(): void {
    if (this.#histogram.count < leastSamples) return;
    const p95Ms = Math.max(0, this.#histogram.percentile(95) / 1e6 - resolutionMs);
    this.#lastMs = [this.#lastMs[1], p95Ms];
    this.#histogram.reset();
  }
}
