import assert from 'node:assert/strict';
import type { Storage, StorageCapabilities } from '@va/core';
import type { ModelSettings, StorageTest, StorageTestContext } from './storage-test.ts';
import { storageTests } from './storage-tests.ts';

/** What a test runner has to have: vitest and jest have it by these names, `node:test` calls the last one `after`. */
export interface TestRunner {
  describe(name: string, register: () => void): unknown;
  it(name: string, run: () => Promise<void>, timeoutMs?: number): unknown;
  afterAll(run: () => Promise<void>): unknown;
}

export interface ConformanceOptions {
  /** The adapter's. */
  readonly name: string;
  /** What the adapter has to declare: tests are chosen by it before there is a storage. */
  readonly capabilities: StorageCapabilities;
  /**
   * Makes a storage, not started. Where it is `persistent` or `shared`, each one that is made is on the same records; they
   * need not be empty.
   */
  readonly open: () => Storage | Promise<Storage>;
  /** Of the random sequences of verbs. The seed is part of each failure. By default the same sequences each time, 60 of them. */
  readonly model?: Partial<ModelSettings>;
}

/** How many storages, each with its own connections, are open at once where they can share records. */
const peerCount = 4;
const timeoutMs = 60_000;

/**
 * Registers the tests that every storage adapter has to pass.
 * @example storageConformance({ describe, it, afterAll }, { name: 'mine', capabilities, open: () => mine() })
 */
export function storageConformance(runner: TestRunner, options: ConformanceOptions): void {
  const { name, capabilities } = options;
  let opening: Promise<OpenContext> | undefined;
  /** By the first test that runs: with its time, and after whatever the suite does before its tests. */
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
      'declares what it is said to be capable of',
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

/** Whether the test says anything about a storage with these capabilities. */
export function appliesTo({ needs = [], unless }: StorageTest, capabilities: StorageCapabilities): boolean {
  return needs.every((each) => capabilities[each]) && (unless === undefined || !capabilities[unless]);
}

export interface OpenContext extends StorageTestContext {
  close(): Promise<void>;
}

/** Starts what the tests run on. */
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
