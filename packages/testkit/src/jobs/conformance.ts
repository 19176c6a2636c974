import type { TestRunner } from '../storage/conformance.ts';
import type { JobQueueTestContext } from './job-queue-test.ts';
import { jobQueueTests } from './job-queue-tests.ts';

/** Options of the conformance suite of a job queue. */
export interface JobQueueConformanceOptions {
  /** Name of the adapter. */
  readonly name: string;
  /** True if the queue belongs to a storage and takes part in its transactions. */
  readonly ofStorage: boolean;
  /** Opens the queue, once. Nothing else may use it. */
  readonly open: () => Promise<JobQueueTestContext & { close(): Promise<void> }>;
}

const timeoutMs = 120_000;

/**
 * Registers the tests that every job queue has to pass.
 * @example jobQueueConformance({ describe, it, afterAll }, { name: 'mine', ofStorage: false, open })
 */
export function jobQueueConformance(runner: TestRunner, { name, ofStorage, open }: JobQueueConformanceOptions): void {
  let opening: ReturnType<typeof open> | undefined;
  runner.afterAll(async () => {
    const context = await opening?.catch(() => undefined);
    await context?.close();
  });
  for (const [about, tests] of Object.entries(jobQueueTests)) {
    const applying = tests.filter(({ needsStorage = false }) => ofStorage || !needsStorage);
    if (applying.length === 0) continue;
    runner.describe(`${name}: ${about}`, () => {
      for (const test of applying) {
        runner.it(
          test.name,
          async () => {
            opening ??= open();
            await test.run(await opening);
          },
          timeoutMs,
        );
      }
    });
  }
}
