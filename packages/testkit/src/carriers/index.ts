export { agentNumber, CarrierService, type CarrierServiceOptions, heardText } from './carrier-service.ts';
export type { CarrierTest, CarrierTestContext } from './carrier-test.ts';
export { carrierTests } from './carrier-tests.ts';
export { type CarrierConformanceOptions, type CarrierTestRunner, carrierConformance } from './conformance.ts';
export type { CarrierSubject, CarrierTestOptions } from './subject.ts';
