import {
  type Job,
  type JobMatch,
  type JobQueue,
  jobLeaseMs,
  jobQueues,
  type NewJob,
  type PendingMigration,
  type Records,
  VaError,
} from '@va/core';
import type PgBoss from 'pg-boss';
import { loadPeer } from '../load-peer.ts';
import { MigrationError, type MigrationMode } from '../migrations/migrator.ts';
import type { Connection, Driver } from '../sql/connection.ts';
import { retrying } from '../sql/retries.ts';
import { runOn, type Step } from '../sql/run.ts';
import type { Statements } from '../sql/statements.ts';
import { executor } from './executor.ts';
import { JobStatements } from './job-statements.ts';

/** A job is given back as often as processes die over it: none is ever given up by the queue. */
const retryLimit = 1_000_000;
const maintenanceSeconds = 30;
const maxAttempts = 5;

/** Of pg-boss 10. */
const schemaVersion = 24;

/** Runs work with a connection inside an open transaction, by the transaction's rules. */
type InTransaction = <T>(tx: Records, work: (connection: Connection) => Promise<T>) => Promise<T>;

/**
 * pg-boss on the storage's own connections, in a schema of its own beside the records'. Jobs that are settled are
 * deleted: nothing is archived, as what has to be kept of them stands in records.
 */
export class BossJobs implements JobQueue {
  readonly #schema: string;
  readonly #inTransaction: InTransaction;
  readonly #refuseNesting: () => void;
  readonly #takeSql: string;
  readonly #own: JobStatements;
  readonly #statements: Statements;
  #running: { readonly boss: PgBoss; readonly driver: Driver } | null = null;

  constructor(options: {
    schema: string;
    statements: Statements;
    inTransaction: InTransaction;
    refuseNesting: () => void;
  }) {
    this.#schema = options.schema;
    this.#refuseNesting = options.refuseNesting;
    this.#inTransaction = options.inTransaction;
    this.#takeSql = takeSql(options.schema);
    this.#own = new JobStatements(options.schema, { retryLimit, leaseMs: jobLeaseMs });
    this.#statements = options.statements;
  }

  /** Throws `MigrationError` (`migrations_pending`) in the mode `check`, and `missing_peer`. */
  async start(driver: Driver, mode: MigrationMode): Promise<void> {
    if (mode === 'auto') await this.apply(driver);
    if (mode === 'check' && (await this.plan(driver)).length > 0) {
      throw new MigrationError(
        'migrations_pending',
        `The schema "${this.#schema}" of the job queue is not up to date. Start once with migrations: 'auto', or run \`va migrate\`.`,
      );
    }
    const boss = await this.#open(driver, { migrate: false, supervise: true });
    // Whoever asks for no look at the schema may open a database that has none.
    if (mode === 'off' && !(await boss.isInstalled())) return;
    await boss.start();
    this.#running = { boss, driver };
  }

  /** What the queue's schema lacks. */
  async plan(driver: Driver): Promise<PendingMigration[]> {
    const boss = await this.#open(driver, { migrate: false, supervise: false });
    if (!(await boss.isInstalled())) return await this.planFromNothing();
    const version = Number(await boss.schemaVersion());
    const { default: Boss } = await loadBoss();
    const sql = version < schemaVersion ? [Boss.getMigrationPlans(this.#schema, String(version))] : [];
    const known = new Set((await boss.getQueues()).map(({ name }) => name));
    const missing = jobQueues.filter((name) => !known.has(name)).map((name) => this.#createQueueSql(name));
    return pending([...sql, ...missing]);
  }

  async planFromNothing(): Promise<PendingMigration[]> {
    const { default: Boss } = await loadBoss();
    return pending([Boss.getConstructionPlans(this.#schema), ...jobQueues.map((name) => this.#createQueueSql(name))]);
  }

  /** Does what is planned. Any number of processes may do it at once: who loses finds it done, or goes on where the other is. */
  async apply(driver: Driver): Promise<PendingMigration[]> {
    const planned = await this.plan(driver);
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      if ((await this.plan(driver)).length === 0) return planned;
      await this.#install(driver).catch((error: unknown) => {
        if (attempt === maxAttempts) throw error;
      });
    }
    return planned;
  }

  async #install(driver: Driver): Promise<void> {
    const boss = await this.#open(driver, { migrate: true, supervise: false });
    await boss.start();
    for (const name of jobQueues) await boss.createQueue(name, { name, retryLimit });
    await boss.stop({ graceful: false });
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.boss.stop({ graceful: false });
  }

  async send(jobs: readonly NewJob[], tx?: Records): Promise<void> {
    if (jobs.length === 0) return;
    await this.#run(tx, this.#own.send(jobs));
  }

  async take(queue: string, limit: number): Promise<readonly Job[]> {
    const { driver } = this.#parts();
    const { rows } = await this.#on(undefined, () => executor(driver).executeSql(this.#takeSql, [queue, limit]));
    return rows.map(({ id, data }) => ({ id: String(id), data: parsed(data) }));
  }

  async settle(
    queue: string,
    { done, again }: { done: readonly string[]; again: readonly NewJob[] },
    tx?: Records,
  ): Promise<void> {
    const gone = [...done, ...again.map(({ id }) => id)];
    if (gone.length === 0) return;
    const removing = this.#own.remove(queue, gone);
    if (again.length === 0) return await this.#run(tx, removing);
    await this.#together(tx, async (connection) => {
      await runOn(connection, this.#statements, removing);
      await runOn(connection, this.#statements, this.#own.send(again));
    });
  }

  async forget(queue: string, { key, text }: JobMatch, tx?: Records): Promise<void> {
    const sql = `delete from ${this.#schema}.job where name = $1 and data ->> $2 = $3`;
    await this.#on(tx, (connection) => executor(connection).executeSql(sql, [queue, key, text]));
  }

  async stored(queue: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { driver } = this.#parts();
    const sql = `select id from ${this.#schema}.job where name = $1 and id = any($2::uuid[])`;
    const { rows } = await this.#on(undefined, () => executor(driver).executeSql(sql, [queue, [...ids]]));
    return new Set(rows.map(({ id }) => String(id)));
  }

  async waiting(queue: string): Promise<number> {
    return await this.#parts().boss.getQueueSize(queue, { before: 'completed' });
  }

  async #open(driver: Driver, options: { migrate: boolean; supervise: boolean }): Promise<PgBoss> {
    const { default: Boss } = await loadBoss();
    const boss = new Boss({
      ...options,
      db: executor(driver),
      schema: this.#schema,
      schedule: false,
      maintenanceIntervalSeconds: maintenanceSeconds,
    });
    // Its maintenance fails while the database is away, and comes again.
    boss.on('error', () => {});
    return boss;
  }

  #createQueueSql(name: string): string {
    return `select ${this.#schema}.create_queue('${name}', '{"policy":"standard","retryLimit":${retryLimit}}')`;
  }

  async #run<I>(tx: Records | undefined, step: Step<I>): Promise<void> {
    const run = (connection: Connection): Promise<unknown> => runOn(connection, this.#statements, step);
    await this.#on(tx, tx === undefined ? (driver) => retrying(this.#statements, () => run(driver)) : run);
  }

  /** In the transaction, or in one of its own. */
  async #together(tx: Records | undefined, work: (connection: Connection) => Promise<void>): Promise<void> {
    if (tx !== undefined) return await this.#inTransaction(tx, work);
    this.#refuseNesting();
    const { driver } = this.#parts();
    await retrying(this.#statements, () => driver.transaction(work));
  }

  async #on<T>(tx: Records | undefined, work: (connection: Connection) => Promise<T>): Promise<T> {
    if (tx !== undefined) return await this.#inTransaction(tx, work);
    this.#refuseNesting();
    return await work(this.#parts().driver);
  }

  #parts(): { readonly boss: PgBoss; readonly driver: Driver } {
    if (this.#running === null) {
      throw new VaError('storage_not_started', 'The storage is not started, or is closed.');
    }
    return this.#running;
  }
}

function loadBoss(): Promise<{ default: typeof PgBoss }> {
  return loadPeer('pg-boss', () => import('pg-boss'));
}

/**
 * What `fetch` of pg-boss does, in the order in which jobs come up, which its index has. In its own order, of when they were stored,
 * it sorts the whole backlog for each batch: 0.4 s where 100,000 wait.
 */
function takeSql(schema: string): string {
  return `with due as materialized (
      select id from ${schema}.job where name = $1 and state < 'active' and start_after < now()
      order by start_after limit $2 for update skip locked
    ), taken as (
      update ${schema}.job as job set state = 'active', started_on = now(),
        retry_count = case when started_on is null then retry_count else retry_count + 1 end
      from due where name = $1 and job.id = due.id
      returning job.id, job.data, job.start_after
    )
    select id, data from taken order by start_after, id`;
}

/** Whoever runs what was planned brings the transaction around it. */
function pending(scripts: string[]): PendingMigration[] {
  const sql = scripts.map((script) => script.replace(/^\s*BEGIN;/, '').replace(/;\s*COMMIT;\s*$/, ''));
  return sql.length === 0 ? [] : [{ version: schemaVersion, name: 'job-queue', sql }];
}

/** `pg` gives the text of jsonb, PGlite what it stands for. */
function parsed(data: unknown): Record<string, unknown> {
  return (typeof data === 'string' ? JSON.parse(data) : data) as Record<string, unknown>;
}
