import type { Clock, MediaLeg, TransferOutcome, TransferRequest } from '@va/core/adapter';
import { TimedIncomingCall } from './timed-leg.ts';

/** Outcome of a transfer, and its delay. */
export interface ScriptedTransfer {
  readonly afterMs?: number;
  readonly outcome: TransferOutcome;
}

/** An incoming call on a line that supports transfers. */
export class TransferringIncomingCall extends TimedIncomingCall implements MediaLeg {
  readonly transfers: TransferRequest[] = [];
  readonly #clock: Clock;
  readonly #script: readonly ScriptedTransfer[];

  /** @param options `script`: outcomes of the transfers in order; the last one repeats */
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
        resolve({ type: 'failed', message: 'canceled' });
      };
      request.signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}
