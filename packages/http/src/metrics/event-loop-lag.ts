import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 10;

/** How late the event loop is: the 99th percentile since it was asked last. */
export class EventLoopLag {
  readonly #histogram = monitorEventLoopDelay({ resolution: resolutionMs });

  constructor() {
    this.#histogram.enable();
  }

  /** Seconds beyond the interval of the measurement itself. */
  take(): number {
    const p99Ms = this.#histogram.percentile(99) / 1e6;
    this.#histogram.reset();
    return Math.max(0, p99Ms - resolutionMs) / 1_000;
  }

  stop(): void {
    this.#histogram.disable();
  }
}
