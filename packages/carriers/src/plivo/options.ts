import type { CarrierOptions } from '../shared/carrier-options.ts';

export type PlivoOptions = CarrierOptions;
