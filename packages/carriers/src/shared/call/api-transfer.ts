import type { Clock, TransferOutcome, TransferRequest } from '@va/core/adapter';
import type { TransferLeg } from '../stream/stream-leg.ts';

/** A transfer by the carrier's API, which may end the stream before it confirms the transfer. */
export class ApiTransfer {
  readonly #run: TransferLeg;
  readonly #clock: Clock;
  #running: Promise<TransferOutcome> | null = null;
  #isDone = false;

  constructor(run: TransferLeg, clock: Clock) {
    this.#run = run;
    this.#clock = clock;
  }

  /**
   * True if the carrier accepted the transfer. Hanging up the call would disconnect the far end from the destination.
   */
  get isDone(): boolean {
    return this.#isDone;
  }

  async request(request: TransferRequest): Promise<TransferOutcome> {
    this.#running = this.#run(request);
    const outcome = await this.#running;
    this.#running = null;
    this.#isDone = outcome.type === 'accepted';
    return outcome;
  }

  /** Resolves when the outcome of a running transfer has been reported, which must precede the end of the leg. */
  async settled(): Promise<void> {
    if (this.#running === null) return;
    await this.#running;
    await new Promise<void>((resolve) => this.#clock.setTimer(0, resolve));
  }
}
