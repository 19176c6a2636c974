import { collectionNames, type Storage } from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import { postgres } from '@va/storage/postgres';
import pg from 'pg';
import { startPostgres } from '../../../packages/storage/test/support/postgres-server.ts';
import { preparedPglite } from '../../../packages/storage/test/support/prepared-pglite.ts';

/** A storage for one suite, and what has to be stopped after it was closed. */
export interface PreparedStorage {
  readonly storage: Storage;
  /** Everything that is kept, as `table.column` and what of each row is in it. */
  dump(): Promise<readonly (readonly [string, string])[]>;
  stop(): Promise<void>;
}

export interface StorageKind {
  readonly name: string;
  prepare(): Promise<PreparedStorage>;
}

export const memoryStorage: StorageKind = {
  name: 'memory',
  async prepare() {
    const storage = memory();
    return { storage, dump: () => dumpOf(storage), stop: async () => {} };
  },
};

export const postgresStorage: StorageKind = {
  name: 'PostgreSQL',
  async prepare() {
    const server = await startPostgres();
    const storage = postgres({ connectionString: server.connectionString, migrations: 'auto' });
    return { storage, dump: () => dumpTables(server.connectionString), stop: () => server.stop() };
  },
};

const pgliteStorage: StorageKind = {
  name: 'PGlite',
  async prepare() {
    const storage = preparedPglite();
    return { storage, dump: () => dumpOf(storage), stop: async () => {} };
  },
};

/** Two that have nothing in common. */
export const storageKinds: readonly StorageKind[] = [memoryStorage, postgresStorage];

/**
 * Everything that the API has to be the same on. PGlite runs PostgreSQL's statements, through another driver and on one
 * connection, so that not all has to be said of it again: what it does with each record is the storage kit's to say.
 */
export const allStorageKinds: readonly StorageKind[] = [memoryStorage, pgliteStorage, postgresStorage];

async function dumpOf(storage: Storage): Promise<[string, string][]> {
  const dumps = collectionNames.map(async (name) => {
    const owned = await storage.across[name].find({}, 100_000);
    return owned.flatMap(({ record }) => columnsOf(name, record));
  });
  return (await Promise.all(dumps)).flat();
}

/** Past the storage: whatever there is in the database, in any table of ours. */
async function dumpTables(connectionString: string): Promise<[string, string][]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const tables = await client.query(
      "select table_schema || '.' || table_name as name from information_schema.tables where table_schema not in " +
        "('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'",
    );
    const dump: [string, string][] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query(`select row_to_json(t) as row from ${name} t`);
      dump.push(...rows.flatMap(({ row }) => columnsOf(name, row)));
    }
    return dump;
  } finally {
    await client.end();
  }
}

function columnsOf(table: string, row: object): [string, string][] {
  return Object.entries(row).map(([column, value]) => [`${table}.${column}`, JSON.stringify(value) ?? '']);
}
