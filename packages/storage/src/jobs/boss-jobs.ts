import {
  type Job,
  type JobMatch,
  type JobQueue,
  jobQueues,
  type NewJob,
  type Records,
  VaError,
} from '@va/core/adapter';
import type { ConnectionOptions, JobInsert, PgBoss } from 'pg-boss';
import type { MigrationMode } from '../migrations/migrator.ts';
import type { Driver, SqlConnection } from '../sql/connection.ts';
import type { PreparedNames } from '../sql/prepared-names.ts';
import { retrying } from '../sql/retries.ts';
import type { Statements } from '../sql/statements.ts';
import type { BossSchema } from './boss-schema.ts';
import { jobDatabase } from './job-database.ts';
import { LegacyJobs } from './legacy-jobs.ts';

/**
 * Runs work with the connection of the transaction that `tx` belongs to. Throws `VaError` (`transaction_over`) if there
 * is none.
 */
type InTransaction = <T>(tx: Records, work: (connection: SqlConnection) => Promise<T>) => Promise<T>;

/** Number of jobs read per query when jobs are searched by their data. */
const pageSize = 1_000;

/** Parts of the storage that the job queue uses. */
export interface BossJobsOptions {
  readonly schema: BossSchema;
  readonly statements: Statements;
  readonly names: PreparedNames;
  readonly inTransaction: InTransaction;
  readonly refuseNesting: () => void;
}

interface Running {
  readonly boss: PgBoss;
  readonly driver: Driver;
  readonly legacy: LegacyJobs;
}

/**
 * Job queue of pg-boss, on the storage's own connections and in a schema of its own beside that of the records.
 * Completed jobs are deleted: results that have to be kept are stored in records.
 */
export class BossJobs implements JobQueue {
  readonly #options: BossJobsOptions;
  #running: Running | null = null;

  constructor(options: BossJobsOptions) {
    this.#options = options;
  }

  /** Throws `MigrationError` (`migrations_pending`) in the mode `check`, and `missing_peer`. */
  async start(driver: Driver, mode: MigrationMode): Promise<void> {
    const boss = await this.#options.schema.open(driver, mode);
    if (boss === null) return;
    const legacy = new LegacyJobs(this.#options.schema.legacyName, driver, (jobs, connection) =>
      insertJobs(boss, jobs, { db: this.#database(connection) }),
    );
    await legacy.start();
    this.#running = { boss, driver, legacy };
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.legacy.stop();
    await running?.boss.stop({ graceful: false });
  }

  async send(jobs: readonly NewJob[], tx?: Records): Promise<void> {
    if (jobs.length === 0) return;
    const queues = new Set(jobs.map(({ queue }) => queue));
    await this.#run(tx, queues.size === 1, (boss, options) => insertJobs(boss, jobs, options));
  }

  async take(queue: string, limit: number, perGroup?: number): Promise<readonly Job[]> {
    const groups = perGroup === undefined ? {} : { groupConcurrency: perGroup };
    const jobs = await this.#run(undefined, true, (boss, options) =>
      boss.fetch<Record<string, unknown>>(queue, { batchSize: limit, ...groups, ...options }),
    );
    return jobs.map(({ id, data, groupId }) => ({ id, data, ...(groupId != null && { group: groupId }) }));
  }

  async settle(
    queue: string,
    { done, again }: { done: readonly string[]; again: readonly NewJob[] },
    tx?: Records,
  ): Promise<void> {
    const removed = [...done, ...again.map(({ id }) => id)];
    if (removed.length === 0) return;
    await this.#run(tx, again.length === 0, async (boss, options) => {
      await boss.deleteJob(queue, removed, options);
      await insertJobs(boss, again, options);
    });
  }

  async forget(queue: string, { key, text }: JobMatch, tx?: Records): Promise<void> {
    await this.#run(tx, false, async (boss, options) => {
      for (;;) {
        const found = await boss.findJobs(queue, { data: { [key]: text }, limit: pageSize, ...options });
        if (found.length > 0) {
          const ids = found.map(({ id }) => id);
          await boss.deleteJob(queue, ids, options);
        }
        if (found.length < pageSize) return;
      }
    });
  }

  async stored(queue: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await Promise.all(
      ids.map((id) => this.#run(undefined, true, (boss, options) => boss.findJobs(queue, { id, ...options }))),
    );
    return new Set(found.flat().map(({ id }) => id));
  }

  async waiting(queue: string): Promise<number> {
    this.#options.refuseNesting();
    const [stats] = await this.#parts().boss.getQueueStats(queue, { force: true });
    return (stats?.queuedCount ?? 0) + (stats?.activeCount ?? 0);
  }

  async oldestMs(queue: string): Promise<number | null> {
    // Completed jobs are deleted, so that the oldest one is not done.
    const [oldest] = await this.#run(undefined, true, (boss, options) =>
      boss.findJobs(queue, { limit: 1, ...options }),
    );
    return oldest === undefined ? null : new Date(oldest.createdOn).getTime();
  }

  /**
   * Runs work in the given transaction. Without one, work of a single statement (`isAtomic`) runs on the pool, and any
   * other in a transaction of its own.
   */
  async #run<T>(
    tx: Records | undefined,
    isAtomic: boolean,
    work: (boss: PgBoss, options: ConnectionOptions) => Promise<T>,
  ): Promise<T> {
    const { inTransaction, refuseNesting, statements } = this.#options;
    const { boss, driver } = this.#parts();
    const on = (connection: SqlConnection): Promise<T> => work(boss, { db: this.#database(connection) });
    if (tx !== undefined) return await inTransaction(tx, on);
    refuseNesting();
    return await retrying(statements, () => (isAtomic ? on(driver) : driver.transaction(on)));
  }

  #database(connection: SqlConnection): ReturnType<typeof jobDatabase> {
    return jobDatabase(connection, this.#options.names);
  }

  #parts(): Running {
    if (this.#running === null) {
      throw new VaError(
        'storage_not_started',
        'The storage is not open: call start() first, and no method after close().',
      );
    }
    return this.#running;
  }
}

/** Inserts jobs, one statement per queue. Jobs whose id exists already are left out. */
async function insertJobs(boss: PgBoss, jobs: readonly NewJob[], options: ConnectionOptions): Promise<void> {
  for (const name of jobQueues) {
    const unique = new Map(jobs.filter(({ queue }) => queue === name).map((job) => [job.id, toInsert(job)]));
    if (unique.size > 0) await boss.insert(name, [...unique.values()], options);
  }
}

function toInsert({ id, data, afterMs, group }: NewJob): JobInsert {
  return {
    id,
    data,
    ...(afterMs > 0 && { startAfter: Number((afterMs / 1_000).toFixed(3)) }),
    ...(group !== undefined && { group: { id: group } }),
  };
}
