import type { CarrierOptions } from '../shared/carrier-options.ts';

export type TelnyxOptions = CarrierOptions;
