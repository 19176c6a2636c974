import assert from 'node:assert/strict';
import type { Storage, StorageCapabilities } from '@va/core/adapter';
import type { ModelSettings, StorageTest, StorageTestContext } from './storage-test.ts';
import { storageTests } from './storage-tests.ts';

/** Functions of a test runner: vitest, jest, or `node:test`, which has `after` in place of `afterAll`. */
export interface TestRunner {
  describe(name: string, register: () => void): unknown;
  it(name: string, run: () => Promise<void>, timeoutMs?: number): unknown;
  afterAll(run: () => Promise<void>): unknown;
}

/** Options of the conformance suite of a storage. */
export interface ConformanceOptions {
  /** Name of the adapter. */
  readonly name: string;
  /** Capabilities that the adapter declares. They select the tests before a storage is opened. */
  readonly capabilities: StorageCapabilities;
  /**
   * Creates a storage without starting it. With the capability `persistent` or `shared`, all storages have the same
   * records, which need not be empty.
   */
  readonly open: () => Storage | Promise<Storage>;
  /** Settings of the random sequences of verbs. Failures print the seed. Default: the same 60 sequences each time. */
  readonly model?: Partial<ModelSettings>;
}

/** Number of storages that are open at once, each with its own connections, if the adapter is `shared`. */
const peerCount = 4;
/** Time after which a test counts as hanging; the longest take more than a minute on a slow machine. */
const timeoutMs = 240_000;

/**
 * Registers the tests that every storage adapter has to pass.
 * @example storageConformance({ describe, it, afterAll }, { name: 'mine', capabilities, open: () => mine() })
 */
export function storageConformance(runner: TestRunner, options: ConformanceOptions): void {
  const { name, capabilities } = options;
  let opening: Promise<OpenContext> | undefined;
  /** Opens the storages at the first test, within its time limit and after the set-up of the suite. */
  const opened = (): Promise<OpenContext> => {
    opening ??= openContext(options);
    return opening;
  };
  runner.afterAll(async () => {
    const context = await opening?.catch(() => undefined);
    await context?.close();
  });

  runner.describe(`${name}: declarations`, () => {
    runner.it(
      'has the declared capabilities',
      async () => {
        const { storage } = await opened();
        assert.deepStrictEqual(storage.capabilities, capabilities);
      },
      timeoutMs,
    );
  });
  for (const [about, tests] of Object.entries(storageTests)) {
    runner.describe(`${name}: ${about}`, () => {
      for (const test of tests.filter((each) => appliesTo(each, capabilities))) {
        runner.it(test.name, async () => await test.run(await opened()), timeoutMs);
      }
    });
  }
}

/** Returns true if the test applies to a storage with these capabilities. */
export function appliesTo({ needs = [], unless }: StorageTest, capabilities: StorageCapabilities): boolean {
  return needs.every((each) => capabilities[each]) && (unless === undefined || !capabilities[unless]);
}

/** Context of the tests with the storages that they use; `close` closes these. */
interface OpenContext extends StorageTestContext {
  close(): Promise<void>;
}

/** Starts the storages that the tests use. */
export async function openContext(options: ConformanceOptions): Promise<OpenContext> {
  const { capabilities, open, model } = options;
  const storage = await open();
  await storage.start();
  const others = capabilities.shared ? await Promise.all(Array.from({ length: peerCount - 1 }, () => open())) : [];
  for (const other of others) await other.start();
  return {
    storage,
    peers: capabilities.shared ? [storage, ...others] : [storage],
    openAnother: async () => await open(),
    model: { seed: 20_260_110, runs: 60, ...model },
    async close() {
      for (const each of [...others, storage]) await each.close();
    },
  };
}
