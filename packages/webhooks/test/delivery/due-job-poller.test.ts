import type { Job, JobQueue, Logger } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { DueJobPoller } from '../../src/delivery/due-job-poller.ts';

function setUp({ room = 1_000, batches = [] as (number | Error)[] } = {}) {
  const clock = new VirtualClock();
  const limits: number[] = [];
  const groups: number[] = [];
  const warnings: unknown[] = [];
  const logger: Logger = { ...silentLogger, warn: (fields: object) => void warnings.push(fields) };
  const jobs = {
    async take(_queue: string, limit: number) {
      limits.push(limit);
      const batch = batches.shift() ?? 0;
      if (batch instanceof Error) throw batch;
      return Array.from({ length: batch }, (_, at) => ({ id: `${at}` }) as Job);
    },
  } as unknown as JobQueue;
  const receive = async (taken: readonly Job[]) => void groups.push(taken.length);
  const poller = new DueJobPoller({ clock, logger, jobs, room: () => room, receive });
  return { clock, limits, groups, warnings, poller };
}

describe('DueJobPoller', () => {
  it('polls at its start and every second', async () => {
    const { clock, limits, poller } = setUp();
    poller.start();
    await clock.advance(0);
    expect(limits).toHaveLength(1);
    await clock.advance(999);
    expect(limits).toHaveLength(1);
    await clock.advance(1);
    expect(limits).toHaveLength(2);
  });

  it('polls until the queue is empty, and passes jobs on in groups of 20', async () => {
    const { clock, limits, groups, poller } = setUp({ batches: [45, 3] });
    poller.start();
    await clock.advance(0);
    expect(limits).toHaveLength(3);
    expect(groups).toEqual([20, 20, 5, 3]);
  });

  it.each([
    [10_000, [500]],
    [30, [30]],
    [0, []],
  ])('with room for %i takes %j', async (room, expected) => {
    const { clock, limits, poller } = setUp({ room });
    poller.start();
    await clock.advance(0);
    expect(limits).toEqual(expected);
  });

  it('polls when a job is due before the next poll', async () => {
    const { clock, limits, poller } = setUp();
    poller.start();
    await clock.advance(0);
    poller.wakeIn(5_000);
    poller.wakeIn(300);
    poller.wakeIn(600);
    await clock.advance(300);
    expect(limits).toHaveLength(2);
    expect(clock.pending).toBe(1);
  });

  it('logs a failure, and polls again a second later', async () => {
    const { clock, limits, warnings, poller } = setUp({ batches: [new Error('closed')] });
    poller.start();
    await clock.advance(0);
    expect(warnings).toMatchObject([{ err: { message: 'closed' } }]);
    await clock.advance(1_000);
    expect(limits).toHaveLength(2);
  });

  it('does not poll after stop', async () => {
    const { clock, limits, poller } = setUp();
    poller.start();
    await poller.stop();
    poller.wakeIn(0);
    await clock.advance(10_000);
    expect(limits).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});
