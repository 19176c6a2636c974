export { type ConformanceOptions, storageConformance, type TestRunner } from './conformance.ts';
export type { ModelSettings, StorageTest, StorageTestContext } from './storage-test.ts';
export { storageTests } from './storage-tests.ts';
