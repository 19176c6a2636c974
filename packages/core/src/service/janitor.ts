import { toError } from '../errors.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';

/** Runs maintenance work at an interval, one run at a time. Logs its errors. */
export class Janitor {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #work: () => Promise<unknown>;
  readonly #everyMs: number;
  #timer: Timer | null = null;
  #running: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: { clock: Clock; logger: Logger; everyMs: number; work: () => Promise<unknown> }) {
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#work = options.work;
    this.#everyMs = options.everyMs;
  }

  start(): void {
    if (this.#isStopped) return;
    this.#timer = this.#clock.setTimer(this.#everyMs, () => {
      this.#running = this.#run().finally(() => {
        this.#running = null;
        this.start();
      });
    });
  }

  /** Stops, and resolves when no run is in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      await this.#work();
    } catch (thrown) {
      this.#logger.error({ err: toError(thrown) }, 'cleaning up failed');
    }
  }
}
