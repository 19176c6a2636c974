import { type Storage, VaError } from '@va/core';
import { type Dialect, Kysely, sql } from 'kysely';
import { type MigrationMode, migrate } from '../migrations/migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import { TransactionScope } from '../transaction-scope.ts';
import type { Database } from './database.ts';
import { sqlRepositories } from './repositories.ts';

export interface SqlStorageOptions {
  /** Loads the driver; called at start, so that importing the adapter costs nothing. */
  readonly openDialect: () => Promise<Dialect>;
  /** True where there is one connection: then anything but the transaction's own statements would wait for it for ever. */
  readonly singleConnection: boolean;
  readonly schema: string;
  readonly migrations: MigrationMode;
}

/** The storage port on any dialect of PostgreSQL's SQL. */
export function sqlStorage(options: SqlStorageOptions): Storage {
  const { schema } = options;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new VaError(
      'invalid_option',
      `The schema "${schema}" has to be lower-case letters, digits and _, at most 63.`,
    );
  }
  const scope = new TransactionScope();
  let kysely: Kysely<Database> | null = null;

  function connection(): Kysely<Database> {
    if (kysely === null) throw new VaError('storage_not_started', 'The storage is not started, or is closed.');
    return kysely.withSchema(schema);
  }

  return {
    ...sqlRepositories(() => {
      if (options.singleConnection) scope.refuseNesting();
      return connection();
    }),

    async start() {
      if (kysely !== null) return;
      const opened = new Kysely<Database>({ dialect: await options.openDialect() });
      try {
        await sql`select 1`.execute(opened);
        await migrate(opened, { schema, mode: options.migrations, migrations });
      } catch (error) {
        await opened.destroy();
        throw error;
      }
      kysely = opened;
    },

    async close() {
      const opened = kysely;
      kysely = null;
      await opened?.destroy();
    },

    async ping() {
      await sql`select 1`.execute(connection());
    },

    async transaction(work) {
      scope.refuseNesting();
      return await connection()
        .transaction()
        .execute((tx) => scope.run(() => work(sqlRepositories(() => tx))));
    },
  };
}
