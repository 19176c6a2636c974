import {
  type CollectionName,
  collectionSchemas,
  type Records,
  recordsOf,
  type Storage,
  TransactionScope,
  VaError,
} from '@va/core/adapter';
import { SqlCluster } from './cluster/sql-cluster.ts';
import { BossJobs } from './jobs/boss-jobs.ts';
import { BossSchema } from './jobs/boss-schema.ts';
import { migrations } from './migrations/migrations.ts';
import { type MigrationMode, Migrator } from './migrations/migrator.ts';
import { sqlAcross } from './sql/across.ts';
import { sqlCollection } from './sql/collection.ts';
import type { Driver, SqlConnection } from './sql/connection.ts';
import { queryBuilder } from './sql/database.ts';
import { PreparedNames } from './sql/prepared-names.ts';
import { retrying } from './sql/retries.ts';
import { type RunStatement, runOn } from './sql/run.ts';
import { Statements } from './sql/statements.ts';
import { Table } from './sql/table.ts';

/** Settings of a storage, by which PGlite and PostgreSQL differ. */
export interface SqlStorageOptions {
  /** Connects. Called at start, so that importing the adapter costs nothing. */
  readonly open: () => Promise<Driver>;
  /** Returns false if there is no database yet; planning then creates none. */
  readonly exists: () => Promise<boolean>;
  readonly persistent: boolean;
  /** True if several processes can open the database. */
  readonly shared: boolean;
  readonly schema: string;
  readonly migrations: MigrationMode;
  /** True if statements may be prepared per connection. */
  readonly preparedStatements: boolean;
  /** True if processes on the database notify each other through it. */
  readonly notifications: boolean;
}

/** Maximum number of prepared statements per connection: the server keeps a plan for each. */
const maxNames = 192;
const maxJobNames = 64;

/** Creates a storage in PostgreSQL, for any driver. */
export function sqlStorage(options: SqlStorageOptions): Storage {
  const db = queryBuilder(options.schema);
  const tables = new Map(collectionSchemas.map((schema) => [schema.name, new Table(db, options.schema, schema)]));
  const statements = new Statements(new PreparedNames('va', options.preparedStatements ? maxNames : 0));
  const jobNames = new PreparedNames('va_jobs', options.preparedStatements ? maxJobNames : 0);
  const migrator = new Migrator(options.schema, migrations);
  const scope = new TransactionScope();
  const sessions = new WeakMap<Records, <T>(work: (connection: SqlConnection) => Promise<T>) => Promise<T>>();
  const jobSchema = new BossSchema(options.schema, jobNames);
  const jobs = new BossJobs({
    schema: jobSchema,
    statements,
    names: jobNames,
    inTransaction,
    refuseNesting: () => scope.refuseNesting(),
  });
  const cluster = new SqlCluster({ schema: options.schema, driver: opened, notifications: options.notifications });
  let driver: Driver | null = null;

  async function inTransaction<T>(tx: Records, work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    const session = sessions.get(tx);
    if (session === undefined) {
      throw new VaError(
        'transaction_over',
        'The given records belong to no transaction of this storage: expected what `transaction()` passes to its work.',
      );
    }
    return await session(work);
  }

  function opened(): Driver {
    if (driver === null)
      throw new VaError(
        'storage_not_started',
        'The storage is not open: call start() first, and no method after close().',
      );
    scope.refuseNesting();
    return driver;
  }

  function records(run: RunStatement): Records {
    const table = (name: CollectionName): Table => {
      const found = tables.get(name);
      if (found === undefined) throw new Error(`There is no collection ${name}.`);
      return found;
    };
    return recordsOf(
      (name) => sqlCollection(run, table(name)),
      (name) => sqlAcross(run, table(name)),
    );
  }

  /** Runs work on the open database. If none is open, opens one for the work. */
  async function onDriver<T>(work: (driver: Driver) => Promise<T>): Promise<T> {
    if (driver !== null) return await work(driver);
    const briefly = await options.open();
    try {
      return await work(briefly);
    } finally {
      await briefly.close();
    }
  }

  return {
    ...records(async (step) => {
      const connection = opened();
      return await retrying(statements, () => runOn(connection, statements, step));
    }),
    capabilities: { persistent: options.persistent, shared: options.shared, migrations: true },
    jobs,
    ...(options.shared && { cluster }),
    migrations: {
      plan: async () =>
        driver !== null || (await options.exists())
          ? await onDriver(async (each) => [...(await migrator.plan(each)), ...(await jobSchema.plan(each))])
          : [...migrator.planFromNothing(), ...(await jobSchema.planFromNothing())],
      apply: () =>
        onDriver(async (each) => {
          const applied = await migrator.apply(each);
          return [...applied, ...(await jobSchema.apply(each))];
        }),
    },

    async start() {
      if (driver !== null) return;
      const starting = await options.open();
      try {
        await starting.query('select 1', []);
        await migrator.bringUp(starting, options.migrations);
        await jobs.start(starting, options.migrations);
      } catch (error) {
        await starting.close();
        throw error;
      }
      driver = starting;
    },

    async close() {
      const closing = driver;
      driver = null;
      await jobs.stop();
      await closing?.close();
    },

    async ping() {
      await opened().query('select 1', []);
    },

    sqlClient: (tx) => ({
      query: (text, values = []) => inTransaction(tx, (connection) => connection.query(text, values)),
    }),

    async transaction(work) {
      const connection = opened();
      return await retrying(statements, () =>
        connection.transaction((session) =>
          scope.run(async (transaction) => {
            const tx = records((step) => transaction.verb(() => runOn(session, statements, step)));
            sessions.set(tx, (statement) => transaction.verb(() => statement(session)));
            return await work(tx);
          }),
        ),
      );
    },
  };
}
