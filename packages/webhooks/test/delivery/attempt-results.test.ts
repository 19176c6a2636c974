import type { Logger, WebhookHost } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { AttemptResults } from '../../src/delivery/attempt-results.ts';
import { testHost } from '../support/dispatcher.ts';

type Settled = Parameters<WebhookHost['settle']>[0];

function setUp(settle: (settled: Settled) => Promise<void> = async () => {}) {
  const clock = new VirtualClock();
  const batches: string[][] = [];
  const errors: object[] = [];
  const logger: Logger = { ...silentLogger, error: (fields: object) => void errors.push(fields) };
  const host = testHost(clock, {
    logger,
    async settle(settled) {
      batches.push([...settled.done]);
      await settle(settled);
    },
  });
  return { clock, batches, errors, results: new AttemptResults(host) };
}

const done = (id: string) => ({ attempt: null, done: id });

describe('AttemptResults', () => {
  it('stores the results of 50 ms in one transaction', async () => {
    const { clock, batches, results } = setUp();
    results.add(done('a'));
    await clock.advance(49);
    results.add(done('b'));
    expect(batches).toEqual([]);
    await clock.advance(1);
    expect(batches).toEqual([['a', 'b']]);
    expect(clock.pending).toBe(0);
  });

  it('stores results that come during a transaction in the next one', async () => {
    let finish = (): void => {};
    const { clock, batches, results } = setUp(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    results.add(done('a'));
    await clock.advance(50);
    results.add(done('b'));
    results.add(done('c'));
    finish();
    await clock.advance(0);
    expect(batches).toEqual([['a'], ['b', 'c']]);
  });

  it('stores at most 1,000 results in a transaction', async () => {
    const { batches, results } = setUp();
    for (let at = 0; at < 1_500; at++) results.add(done(`${at}`));
    await results.stored();
    expect(batches.map(({ length }) => length)).toEqual([1_000, 500]);
  });

  it('stores without a delay when the result is awaited', async () => {
    const { clock, batches, results } = setUp();
    await results.store(done('a'));
    expect(batches).toEqual([['a']]);
    expect(clock.pending).toBe(0);
  });

  it('logs a failed transaction, and goes on', async () => {
    const failures = [new Error('closed')];
    const { batches, errors, results } = setUp(async () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
    });
    await results.store(done('a'));
    await results.store(done('b'));
    expect(errors).toMatchObject([{ err: { message: 'closed' } }]);
    expect(batches).toEqual([['a'], ['b']]);
  });
});
