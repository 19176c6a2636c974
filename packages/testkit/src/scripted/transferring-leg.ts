import type { Clock, MediaLeg, TransferOutcome, TransferRequest } from '@va/core';
import { TimedIncomingCall } from './timed-leg.ts';

/** What comes of a transfer, and how long the line takes for it. */
export interface ScriptedTransfer {
  readonly afterMs?: number;
  readonly outcome: TransferOutcome;
}

/** An incoming call on a line that can hand the caller over. */
export class TransferringIncomingCall extends TimedIncomingCall implements MediaLeg {
  readonly transfers: TransferRequest[] = [];
  readonly #clock: Clock;
  readonly #script: readonly ScriptedTransfer[];

  /** @param options `script`: what comes of the transfers, one after the other; the last one repeats. */
  constructor(options: { readonly to: string; readonly clock: Clock; readonly script: readonly ScriptedTransfer[] }) {
    super(options);
    this.#clock = options.clock;
    this.#script = options.script;
  }

  transfer(request: TransferRequest): Promise<TransferOutcome> {
    const index = this.transfers.push(request) - 1;
    const scripted = this.#script[Math.min(index, this.#script.length - 1)];
    if (scripted === undefined) return Promise.resolve({ type: 'failed', message: 'the script has no transfer' });
    const { afterMs = 0, outcome } = scripted;
    return new Promise((resolve) => {
      const timer = this.#clock.setTimer(afterMs, () => resolve(outcome));
      const giveUp = (): void => {
        timer.cancel();
        resolve({ type: 'failed', message: 'given up' });
      };
      request.signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}
