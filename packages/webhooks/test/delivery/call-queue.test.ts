import { describe, expect, it } from 'vitest';
import { CallQueue } from '../../src/delivery/call-queue.ts';

/** A queue whose attempts end as the test says: with a delay, or with null. */
function setUp() {
  const started: string[] = [];
  const deferred: [string, number][] = [];
  const ends: ((delayMs: number | null) => void)[] = [];
  let emptied = 0;
  const queue = new CallQueue<string>({
    attempt(item) {
      started.push(item);
      return new Promise((resolve) => ends.push(resolve));
    },
    defer: (item, delayMs) => void deferred.push([item, delayMs]),
    onEmpty: () => {
      emptied++;
    },
  });
  const end = async (delayMs: number | null) => {
    ends.shift()?.(delayMs);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, started, deferred, end, emptied: () => emptied };
}

describe('CallQueue', () => {
  it('attempts one item after the other', async () => {
    const { queue, started, end, emptied } = setUp();
    for (const item of ['a', 'b']) queue.push(item);
    expect(started).toEqual(['a']);
    await end(null);
    expect(started).toEqual(['a', 'b']);
    expect(emptied()).toBe(0);
    await end(null);
    await queue.empty();
    expect(emptied()).toBe(1);
  });

  it('defers the items behind a failed one, in their order after it', async () => {
    const { queue, started, deferred, end } = setUp();
    for (const item of ['a', 'b', 'c']) queue.push(item);
    await end(5_000);
    expect(started).toEqual(['a']);
    expect(deferred).toEqual([
      ['b', 5_050],
      ['c', 5_100],
    ]);
  });

  it('attempts an item that is added after a failure', async () => {
    const { queue, started, end } = setUp();
    queue.push('a');
    await end(5_000);
    queue.push('b');
    expect(started).toEqual(['a', 'b']);
  });

  it('is empty at once without items', async () => {
    await setUp().queue.empty();
  });
});
