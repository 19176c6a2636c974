import { jobLeaseMs, jobQueues, type PendingMigration } from '@va/core/adapter';
import type * as PgBossModule from 'pg-boss';
import type { ConstructorOptions, PgBoss, QueueOptions } from 'pg-boss';
import { loadPeer } from '../load-peer.ts';
import { MigrationError, type MigrationMode } from '../migrations/migrator.ts';
import type { Driver } from '../sql/connection.ts';
import type { PreparedNames } from '../sql/prepared-names.ts';
import { jobDatabase } from './job-database.ts';

/** Interval at which pg-boss fails jobs whose lease has expired, which makes them available again. */
const superviseEverySeconds = 30;

/** A job is retried whenever its process dies, however often: the queue never gives it up. */
const queueSettings = {
  retryLimit: 1_000_000,
  retryDelay: 0,
  retryBackoff: false,
  expireInSeconds: jobLeaseMs / 1_000,
} satisfies QueueOptions;

/** Major version of pg-boss, shown as the version of its migration. */
const bossVersion = 12;

/** Interval between checks whether pg-boss has built the indexes of a migration. */
const indexPollMs = 100;

/** Installs and migrates the schema of pg-boss through its own plans and migrations. */
export class BossSchema {
  readonly #name: string;
  readonly #names: PreparedNames;
  /** Schema of pg-boss 10, which earlier versions of this package used. */
  readonly legacyName: string;

  constructor(databaseSchema: string, names: PreparedNames) {
    this.#name = `${databaseSchema}_boss`;
    this.legacyName = `${databaseSchema}_jobs`;
    this.#names = names;
  }

  /** Returns the migrations that the database lacks. */
  async plan(driver: Driver): Promise<PendingMigration[]> {
    const boss = await this.#create(driver, {});
    if (!(await boss.isInstalled())) return await this.planFromNothing();
    const version = Number(await boss.schemaVersion());
    try {
      // Rejects unless the schema is exactly the one of the installed pg-boss.
      await boss.start();
      await boss.stop({ graceful: false });
      return [];
    } catch (cause) {
      const { getMigrationPlans } = await loadBoss();
      return [pending(migrationSql(() => getMigrationPlans(this.#name, version), cause))];
    }
  }

  async planFromNothing(): Promise<PendingMigration[]> {
    const { getConstructionPlans } = await loadBoss();
    return [pending(getConstructionPlans(this.#name))];
  }

  /**
   * Applies the migrations that `plan` returns, and waits until their indexes are built. Safe when several processes
   * call it at once: pg-boss takes a lock.
   */
  async apply(driver: Driver): Promise<PendingMigration[]> {
    const planned = await this.plan(driver);
    if (planned.length === 0) return [];
    const boss = await this.#create(driver, { migrate: true });
    await boss.start();
    while ((await boss.getBamStatus()).some(({ status }) => status === 'pending' || status === 'in_progress')) {
      await new Promise((resolve) => setTimeout(resolve, indexPollMs));
    }
    await boss.stop({ graceful: false });
    return planned;
  }

  /**
   * Returns a started pg-boss with all queues, or null in the mode `off` when nothing is installed. Throws
   * `MigrationError` (`migrations_pending`) in the mode `check`.
   */
  async open(driver: Driver, mode: MigrationMode): Promise<PgBoss | null> {
    if (mode === 'auto') await this.apply(driver);
    if (mode === 'check' && (await this.plan(driver)).length > 0) {
      throw new MigrationError(
        'migrations_pending',
        `The schema "${this.#name}" of the job queue is not up to date. ` +
          "Start once with migrations: 'auto', or run `va migrate`.",
      );
    }
    const boss = await this.#create(driver, { supervise: true });
    if (mode === 'off' && !(await boss.isInstalled())) return null;
    await boss.start();
    // Queues are rows, not schema: any process may create the ones that its version adds.
    const known = new Set((await boss.getQueues()).map(({ name }) => name));
    for (const name of jobQueues) {
      if (known.has(name)) await boss.updateQueue(name, queueSettings);
      else await boss.createQueue(name, queueSettings);
    }
    return boss;
  }

  async #create(driver: Driver, options: Pick<ConstructorOptions, 'migrate' | 'supervise'>): Promise<PgBoss> {
    const { PgBoss, fromPglite } = await loadBoss();
    const { pglite } = driver;
    const boss = new PgBoss({
      migrate: false,
      supervise: false,
      ...options,
      db: pglite === undefined ? jobDatabase(driver, this.#names) : fromPglite(pglite),
      backend: pglite === undefined ? 'postgres' : 'pglite',
      schema: this.#name,
      schedule: false,
      registerInstance: false,
      superviseIntervalSeconds: superviseEverySeconds,
      monitorIntervalSeconds: superviseEverySeconds,
    });
    // Emitted when the maintenance fails, such as while the database is unreachable. pg-boss repeats the maintenance.
    boss.on('error', () => {});
    return boss;
  }
}

function migrationSql(plans: () => string, cause: unknown): string {
  try {
    return plans();
  } catch {
    throw new MigrationError('schema_too_new', 'The schema of the job queue is newer than the installed pg-boss.', {
      cause,
    });
  }
}

function loadBoss(): Promise<typeof PgBossModule> {
  return loadPeer('pg-boss', () => import('pg-boss'));
}

/**
 * Returns the migration of the job queue. It is a script, because pg-boss's SQL begins and commits its own transaction.
 */
function pending(script: string): PendingMigration {
  return { version: bossVersion, name: 'job-queue', sql: [script], isScript: true };
}
