import type { CarrierOptions } from '../shared/carrier-options.ts';

/** `apiUrl` also selects a region, such as `https://api-eu-3.vonage.com`. */
export type VonageOptions = CarrierOptions;
