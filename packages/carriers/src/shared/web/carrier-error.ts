import { VaError } from '@va/core';

/** Error of a request that a carrier's API refused. */
export class CarrierError extends VaError {
  readonly status: number;
  /** Error code of the carrier, such as 21211 of Twilio; null if the response has none. */
  readonly vendorCode: string | null;

  constructor(status: number, vendorCode: string | null, message: string) {
    super('carrier_refused', message);
    this.status = status;
    this.vendorCode = vendorCode;
  }
}
