import { collectionNames, type Storage } from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import { postgres } from '@va/storage/postgres';
import { startPostgres } from '@va/test-servers/postgres';
import pg from 'pg';
import { preparedPglite } from '../../../packages/storage/test/support/prepared-pglite.ts';

/** A storage for one suite, and how to stop its database. */
export interface PreparedStorage {
  readonly storage: Storage;
  /** Returns all stored data as `table.column` and the values of each row. */
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

/** Two storages that share no code. */
export const storageKinds: readonly StorageKind[] = [memoryStorage, postgresStorage];

/**
 * All storages on which the API must behave the same. PGlite runs the SQL of PostgreSQL through another driver and on
 * one connection; its handling of each record is covered by the storage conformance kit.
 */
export const allStorageKinds: readonly StorageKind[] = [memoryStorage, pgliteStorage, postgresStorage];

async function dumpOf(storage: Storage): Promise<[string, string][]> {
  const dumps = collectionNames.map(async (name) => {
    const owned = await storage.across[name].find({}, 100_000);
    return owned.flatMap(({ record }) => columnsOf(name, record));
  });
  return (await Promise.all(dumps)).flat();
}

/** Reads all of our tables directly from the database. */
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
