import { VaError } from '@va/core';

/** A request that a carrier refused. */
export class CarrierError extends VaError {
  readonly status: number;
  /** Code of the carrier's own list of errors, such as 21211 of Twilio; null without. */
  readonly vendorCode: string | null;

  constructor(status: number, vendorCode: string | null, message: string) {
    super('carrier_refused', message);
    this.status = status;
    this.vendorCode = vendorCode;
  }
}
