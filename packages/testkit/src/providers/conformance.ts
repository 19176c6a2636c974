import { providerTests } from './provider-tests.ts';
import type { ProviderTestOptions } from './subject.ts';

/** Functions of a test runner, such as vitest, jest or `node:test`. */
export interface ProviderTestRunner {
  describe(name: string, register: () => void): unknown;
  it(name: string, run: () => Promise<void>, timeoutMs?: number): unknown;
}

/** Options of the conformance suite of a provider adapter. */
export interface ProviderConformanceOptions extends ProviderTestOptions {
  /** Name of the adapter. */
  readonly name: string;
}

const timeoutMs = 60_000;

/**
 * Registers the tests that every provider adapter has to pass.
 * @example providerConformance({ describe, it }, { name: 'mine', kind: 'tts', troubles: ['garbage'], open })
 */
export function providerConformance(runner: ProviderTestRunner, options: ProviderConformanceOptions): void {
  runner.describe(`${options.name}: conformance`, () => {
    for (const { name, run } of providerTests(options)) runner.it(name, run, timeoutMs);
  });
}
