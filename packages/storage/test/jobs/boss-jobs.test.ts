import { jobQueues, type Records } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import { BossJobs } from '../../src/jobs/boss-jobs.ts';
import type { BossSchema } from '../../src/jobs/boss-schema.ts';
import type { Driver, SqlConnection } from '../../src/sql/connection.ts';
import { PreparedNames } from '../../src/sql/prepared-names.ts';
import { Statements } from '../../src/sql/statements.ts';

type Row = Readonly<Record<string, unknown>>;
const [webhooks, afterCall, mails] = jobQueues;
const job = (id: string, changes: object = {}) => ({ id, queue: webhooks, data: { id }, afterMs: 0, ...changes });

/** pg-boss with the rows that its methods return, by their name. */
class FakeBoss {
  readonly calls: unknown[][] = [];
  readonly found: Row[][] = [];
  fetched: Row[] = [];
  stats: Row[] = [];
  /** Errors of the next calls. */
  readonly errors: Error[] = [];

  #called(...call: readonly unknown[]): void {
    this.calls.push([...call]);
    const error = this.errors.shift();
    if (error !== undefined) throw error;
  }
  async insert(queue: string, jobs: readonly object[]): Promise<void> {
    this.#called('insert', queue, jobs);
  }
  async fetch(queue: string, { batchSize, groupConcurrency }: Row): Promise<readonly Row[]> {
    this.#called('fetch', queue, batchSize, groupConcurrency);
    return this.fetched;
  }
  async deleteJob(queue: string, ids: readonly string[]): Promise<void> {
    this.#called('delete', queue, ids);
  }
  async findJobs(queue: string, { db: _db, ...query }: Row): Promise<readonly Row[]> {
    this.#called('find', queue, query);
    return this.found.shift() ?? [];
  }
  async getQueueStats(queue: string): Promise<readonly Row[]> {
    this.#called('stats', queue);
    return this.stats;
  }
  async stop(): Promise<void> {
    this.#called('stop');
  }
}

async function started() {
  const boss = new FakeBoss();
  /** Names of the transactions in which work ran; empty for work on the pool. */
  const ran: string[] = [];
  const session: SqlConnection = { query: async () => ({ rows: [], rowCount: 0 }) };
  const driver: Driver = {
    query: async () => ({ rows: [{ name: null }], rowCount: 1 }),
    async transaction(work) {
      ran.push('own transaction');
      return await work(session);
    },
    script: () => Promise.reject(new Error('There is no script.')),
    close: async () => {},
  };
  let isNested = false;
  const jobs = new BossJobs({
    schema: { open: async () => boss, legacyName: 'va_jobs' } as unknown as BossSchema,
    statements: new Statements(new PreparedNames('va', 0)),
    names: new PreparedNames('va_jobs', 0),
    async inTransaction(_tx, work) {
      ran.push('given transaction');
      return await work(session);
    },
    refuseNesting() {
      if (isNested) throw new Error('nested');
    },
  });
  await jobs.start(driver, 'auto');
  const nest = (): void => {
    isNested = true;
  };
  return { boss, jobs, ran, nest };
}
const tx = {} as Records;

describe('BossJobs.send', () => {
  it('inserts the jobs of each queue in one statement', async () => {
    const { boss, jobs } = await started();
    await jobs.send([job('a'), job('b', { queue: mails }), job('c')]);
    expect(boss.calls).toEqual([
      [
        'insert',
        webhooks,
        [
          { id: 'a', data: { id: 'a' } },
          { id: 'c', data: { id: 'c' } },
        ],
      ],
      ['insert', mails, [{ id: 'b', data: { id: 'b' } }]],
    ]);
  });

  it('delays a job, and assigns it to its group', async () => {
    const { boss, jobs } = await started();
    await jobs.send([job('a', { afterMs: 1_500.4567, group: 'acme' })]);
    expect(boss.calls).toEqual([
      ['insert', webhooks, [{ id: 'a', data: { id: 'a' }, startAfter: 1.5, group: { id: 'acme' } }]],
    ]);
  });

  it('inserts a job once that is given twice, as it was given last', async () => {
    const { boss, jobs } = await started();
    await jobs.send([job('a'), job('a', { data: { id: 'again' } })]);
    expect(boss.calls).toEqual([['insert', webhooks, [{ id: 'a', data: { id: 'again' } }]]]);
  });

  it('of no jobs does nothing', async () => {
    const { boss, jobs } = await started();
    await jobs.send([]);
    expect(boss.calls).toEqual([]);
  });

  it.each([
    ['jobs of one queue on the pool', [job('a'), job('b')], undefined, []],
    [
      'jobs of several queues in a transaction',
      [job('a'), job('b', { queue: afterCall })],
      undefined,
      ['own transaction'],
    ],
    ['jobs within the transaction of their records', [job('a')], tx, ['given transaction']],
  ])('inserts %s', async (_name, all, within, expected) => {
    const { jobs, ran } = await started();
    await jobs.send(all, within);
    expect(ran).toEqual(expected);
  });

  it('repeats the work after a conflict', async () => {
    const { boss, jobs } = await started();
    boss.errors.push(Object.assign(new Error('deadlock'), { code: '40P01' }));
    await jobs.send([job('a')]);
    expect(boss.calls).toHaveLength(2);
  });

  it('does not repeat it within a transaction, which the conflict has ended', async () => {
    const { boss, jobs } = await started();
    boss.errors.push(Object.assign(new Error('deadlock'), { code: '40P01' }));
    await expect(jobs.send([job('a')], tx)).rejects.toThrow('deadlock');
    expect(boss.calls).toHaveLength(1);
  });
});

describe('BossJobs.take', () => {
  it('returns jobs with their group', async () => {
    const { boss, jobs } = await started();
    boss.fetched = [
      { id: 'a', data: { x: 1 }, groupId: 'acme', state: 'active' },
      { id: 'b', data: {}, groupId: null },
    ];
    expect(await jobs.take(webhooks, 10)).toEqual([
      { id: 'a', data: { x: 1 }, group: 'acme' },
      { id: 'b', data: {} },
    ]);
  });

  it('limits the jobs in progress of each group', async () => {
    const { boss, jobs } = await started();
    await jobs.take(webhooks, 10, 2);
    await jobs.take(webhooks, 5);
    expect(boss.calls).toEqual([
      ['fetch', webhooks, 10, 2],
      ['fetch', webhooks, 5, undefined],
    ]);
  });
});

describe('BossJobs.settle', () => {
  it('removes jobs that are done', async () => {
    const { boss, jobs, ran } = await started();
    await jobs.settle(webhooks, { done: ['a', 'b'], again: [] });
    expect([boss.calls, ran]).toEqual([[['delete', webhooks, ['a', 'b']]], []]);
  });

  it('replaces jobs that are repeated, in one transaction', async () => {
    const { boss, jobs, ran } = await started();
    await jobs.settle(webhooks, { done: ['a'], again: [job('b', { afterMs: 5_000 })] });
    expect(boss.calls).toEqual([
      ['delete', webhooks, ['a', 'b']],
      ['insert', webhooks, [{ id: 'b', data: { id: 'b' }, startAfter: 5 }]],
    ]);
    expect(ran).toEqual(['own transaction']);
  });

  it('of nothing does nothing', async () => {
    const { boss, jobs } = await started();
    await jobs.settle(webhooks, { done: [], again: [] });
    expect(boss.calls).toEqual([]);
  });
});

describe('BossJobs.forget', () => {
  it('removes the jobs whose data matches', async () => {
    const { boss, jobs } = await started();
    boss.found.push([{ id: 'a' }, { id: 'b' }]);
    await jobs.forget(webhooks, { key: 'call_id', text: 'c' });
    expect(boss.calls).toEqual([
      ['find', webhooks, { data: { call_id: 'c' }, limit: 1_000 }],
      ['delete', webhooks, ['a', 'b']],
    ]);
  });

  it('goes on while pages are full', async () => {
    const { boss, jobs } = await started();
    boss.found.push(
      Array.from({ length: 1_000 }, (_, n) => ({ id: `job-${n}` })),
      [],
    );
    await jobs.forget(webhooks, { key: 'call_id', text: 'c' });
    expect(boss.calls.map(([name]) => name)).toEqual(['find', 'delete', 'find']);
  });
});

describe('the state of a queue in BossJobs', () => {
  it('includes which of the jobs are stored', async () => {
    const { boss, jobs } = await started();
    boss.found.push([{ id: 'a' }], []);
    expect([...(await jobs.stored(webhooks, ['a', 'b']))]).toEqual(['a']);
  });

  it.each([
    [[{ queuedCount: 3, activeCount: 2 }], 5],
    [[{ queuedCount: 3 }], 3],
    [[], 0],
  ])('includes for the statistics %j that %i jobs are not done', async (stats, waiting) => {
    const { boss, jobs } = await started();
    boss.stats = stats;
    expect(await jobs.waiting(webhooks)).toBe(waiting);
  });

  it('includes the time of the oldest job, or null', async () => {
    const { boss, jobs } = await started();
    boss.found.push([{ id: 'a', createdOn: '2026-01-01T00:00:00.000Z' }]);
    expect(await jobs.oldestMs(webhooks)).toBe(Date.UTC(2026, 0, 1));
    expect(await jobs.oldestMs(webhooks)).toBeNull();
  });
});

describe('the state of BossJobs', () => {
  const refused = { code: 'storage_not_started' };

  it('refuses work after its end', async () => {
    const { boss, jobs } = await started();
    await jobs.stop();
    expect(boss.calls).toEqual([['stop']]);
    await expect(jobs.send([job('a')])).rejects.toMatchObject(refused);
    await expect(jobs.take(webhooks, 1)).rejects.toMatchObject(refused);
    await expect(jobs.waiting(webhooks)).rejects.toMatchObject(refused);
    await jobs.stop();
  });

  it('refuses work when nothing is installed', async () => {
    const jobs = new BossJobs({
      schema: { open: async () => null, legacyName: 'va_jobs' } as unknown as BossSchema,
      statements: new Statements(new PreparedNames('va', 0)),
      names: new PreparedNames('va_jobs', 0),
      inTransaction: () => Promise.reject(new Error('There is no transaction.')),
      refuseNesting: () => {},
    });
    await jobs.start({} as Driver, 'off');
    await expect(jobs.take(webhooks, 1)).rejects.toMatchObject(refused);
  });

  it('refuses work outside the transaction that is open, and takes work within it', async () => {
    const { jobs, nest } = await started();
    nest();
    await expect(jobs.send([job('a')])).rejects.toThrow('nested');
    await expect(jobs.waiting(webhooks)).rejects.toThrow('nested');
    await jobs.send([job('a')], tx);
  });
});
