import type { NewJob } from '@va/core/adapter';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LegacyJobs } from '../../src/jobs/legacy-jobs.ts';
import type { Driver, Result } from '../../src/sql/connection.ts';

/** A database with jobs of the earlier version. */
class OldDatabase {
  hasSchema = true;
  isReachable = true;
  passes = 0;
  readonly jobs: Result['rows'][number][] = [];

  readonly driver: Driver = {
    query: async (text) => {
      if (!this.isReachable) throw new Error('unreachable');
      if (text.includes('to_regclass')) {
        this.passes += 1;
        return { rows: [{ name: this.hasSchema ? 'va_jobs.job' : null }], rowCount: 1 };
      }
      const rows = this.jobs.splice(0, 1_000);
      return { rows, rowCount: rows.length };
    },
    transaction: (work) => work(this.driver),
    script: () => Promise.reject(new Error('Jobs are moved by statements.')),
    close: async () => {},
  };
}

describe('LegacyJobs', () => {
  let old: OldDatabase;
  let moved: NewJob[];
  let legacy: LegacyJobs;
  const job = (id: string, changes: object = {}) => ({ id, name: 'webhooks', data: { id }, after_ms: 0, ...changes });

  beforeEach(() => {
    vi.useFakeTimers();
    old = new OldDatabase();
    moved = [];
    legacy = new LegacyJobs('va_jobs', old.driver, async (jobs) => void moved.push(...jobs));
  });

  afterEach(async () => {
    await legacy.stop();
    vi.useRealTimers();
  });

  it('moves all jobs when it starts, in batches', async () => {
    for (let n = 0; n < 2_500; n += 1) old.jobs.push(job(`job-${n}`));
    await legacy.start();
    expect(moved.map(({ id }) => id)).toEqual(Array.from({ length: 2_500 }, (_, n) => `job-${n}`));
  });

  it('keeps the queue, the data and the remaining time of a job', async () => {
    old.jobs.push(job('due', { after_ms: -5_000 }), job('later', { name: 'mails', after_ms: '1500.5' }));
    await legacy.start();
    expect(moved).toEqual([
      { id: 'due', queue: 'webhooks', data: { id: 'due' }, afterMs: 0 },
      { id: 'later', queue: 'mails', data: { id: 'later' }, afterMs: 1_500.5 },
    ]);
  });

  it('moves jobs that processes of the earlier version send, every 30 s', async () => {
    await legacy.start();
    old.jobs.push(job('sent later'));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(moved).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(moved).toHaveLength(1);
  });

  it('goes on after a pass in which the database was unreachable', async () => {
    await legacy.start();
    old.isReachable = false;
    await vi.advanceTimersByTimeAsync(30_000);
    old.isReachable = true;
    old.jobs.push(job('left'));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(moved).toHaveLength(1);
  });

  it('stops looking for jobs once the earlier schema is gone', async () => {
    await legacy.start();
    old.hasSchema = false;
    await vi.advanceTimersByTimeAsync(300_000);
    expect(old.passes).toBe(2);
  });

  it('looks for no jobs after it was stopped', async () => {
    await legacy.start();
    await legacy.stop();
    await vi.advanceTimersByTimeAsync(300_000);
    expect(old.passes).toBe(1);
  });
});
