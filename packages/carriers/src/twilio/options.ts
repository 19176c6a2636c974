import type { CarrierOptions } from '../shared/carrier-options.ts';

/** Options of Twilio. `apiUrl` replaces the API of the region of the trunk's account, for compatible carriers. */
export type TwilioOptions = CarrierOptions;
