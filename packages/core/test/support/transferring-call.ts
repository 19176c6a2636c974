import type { MediaLeg, TransferOutcome, TransferRequest } from '@va/core';
import { ScriptedIncomingCall } from '@va/testkit';

/** A call whose line can hand the caller over; the test says what comes of it. */
export class TransferringCall extends ScriptedIncomingCall implements MediaLeg {
  readonly transfers: TransferRequest[] = [];
  /** How many frames of the agent's had been sent when the transfer began. */
  framesBefore = 0;
  #settle: (outcome: TransferOutcome) => void = () => {};
  #fail: (error: Error) => void = () => {};

  transfer(request: TransferRequest): Promise<TransferOutcome> {
    this.transfers.push(request);
    this.framesBefore = this.sent.filter((frame) => frame.some((code) => code !== 0xff)).length;
    return new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#fail = reject;
    });
  }

  settle(outcome: TransferOutcome): void {
    this.#settle(outcome);
  }

  fail(error: Error): void {
    this.#fail(error);
  }
}
