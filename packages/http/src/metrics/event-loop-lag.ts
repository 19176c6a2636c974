import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 10;

/** Measures the delay of the event loop: the 99th percentile since the last reading. */
export class EventLoopLag {
  readonly #histogram = monitorEventLoopDelay({ resolution: resolutionMs });

  constructor() {
    this.#histogram.enable();
  }

  /** Returns the delay in seconds, without the measurement's own interval, and starts a new measurement. */
  take(): number {
    const p99Ms = this.#histogram.percentile(99) / 1e6;
    this.#histogram.reset();
    return Math.max(0, p99Ms - resolutionMs) / 1_000;
  }

  stop(): void {
    this.#histogram.disable();
  }
}
