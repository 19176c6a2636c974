import type { CarrierService, CarrierServiceOptions } from './carrier-service.ts';
import type { CarrierTestOptions } from './subject.ts';

/** Context of a test. */
export interface CarrierTestContext extends Pick<CarrierTestOptions, 'keys' | 'countsLoss'> {
  /** Starts a service with the carrier; closed after the test. */
  start(options?: CarrierServiceOptions): Promise<CarrierService>;
}

/** Test of a carrier adapter, independent of the test runner. */
export interface CarrierTest {
  /** Requirement on the adapter, as a sentence. */
  readonly name: string;
  /** Rejects if the adapter behaves otherwise. */
  run(context: CarrierTestContext): Promise<void>;
}
