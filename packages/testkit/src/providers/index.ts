export { type ProviderConformanceOptions, type ProviderTestRunner, providerConformance } from './conformance.ts';
export { type ProviderTest, providerTests } from './provider-tests.ts';
export type { AnyProvider, ProviderSubject, ProviderTestOptions, Trouble } from './subject.ts';
