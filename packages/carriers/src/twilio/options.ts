import type { CarrierOptions } from '../shared/carrier-options.ts';

/** `apiUrl` replaces the address of the region of the trunk's account, for carriers with an API of the same shape. */
export type TwilioOptions = CarrierOptions;
