import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock, Timer } from '../../ports/clock.ts';

const resolutionMs = 20;
const windowMs = 3_000;
/** With fewer samples a window shows single moments, such as the loading of a module. */
const leastSamples = 50;

/** Delay of the event loop as Node measures it, in nanoseconds and including the sampling interval. */
export interface DelayHistogram {
  readonly count: number;
  percentile(percentile: number): number;
  reset(): void;
  enable(): unknown;
  disable(): unknown;
}

/** Measures the delay of the event loop in windows of three seconds. */
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

  /** The lower 95th percentile of the last two windows, in milliseconds: a single burst does not count. */
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

  /** A window with too few samples goes on. */
  #endWindow(): void {
    if (this.#histogram.count < leastSamples) return;
    const p95Ms = Math.max(0, this.#histogram.percentile(95) / 1e6 - resolutionMs);
    this.#lastMs = [this.#lastMs[1], p95Ms];
    this.#histogram.reset();
  }
}
