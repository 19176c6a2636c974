import { collectionNames, collectionSchemas, type Storage } from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import { postgres } from '@va/storage/postgres';
import type pg from 'pg';
import { startMigratedPostgres } from '../../../packages/storage/test/support/migrated-postgres.ts';
import { preparedPglite } from '../../../packages/storage/test/support/prepared-pglite.ts';

/** A storage for one suite, and how to stop its database. */
export interface PreparedStorage {
  readonly storage: Storage;
  /** Returns all stored data as `table.column` and the values of each row. */
  dump(): Promise<readonly (readonly [string, string])[]>;
  /** Returns all records of these organizations in one text, in the same order each time. */
  recordsOf(orgIds: readonly string[]): Promise<string>;
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
    return preparedFrom(storage);
  },
};

export const postgresStorage: StorageKind = {
  name: 'PostgreSQL',
  async prepare() {
    const server = await startMigratedPostgres();
    const storage = postgres({ connectionString: server.connectionString, migrations: 'auto' });
    // Connects only when a suite reads the tables.
    const pool = server.openPool({ max: 1 });
    return {
      storage,
      dump: () => dumpTables(pool),
      recordsOf: (orgIds) => readRows(pool, orgIds),
      async stop() {
        await pool.end();
        await server.stop();
      },
    };
  },
};

const pgliteStorage: StorageKind = {
  name: 'PGlite',
  async prepare() {
    const storage = preparedPglite();
    return preparedFrom(storage);
  },
};

/** Two storages that share no code. */
export const storageKinds: readonly StorageKind[] = [memoryStorage, postgresStorage];

/**
 * All storages on which the API must behave the same. PGlite runs the SQL of PostgreSQL through another driver and on
 * one connection; its handling of each record is covered by the storage conformance kit.
 */
export const allStorageKinds: readonly StorageKind[] = [memoryStorage, pgliteStorage, postgresStorage];

/** A storage that is read through its own verbs, and needs no stop. */
function preparedFrom(storage: Storage): PreparedStorage {
  return {
    storage,
    dump: () => dumpOf(storage),
    async recordsOf(orgIds) {
      const lists = orgIds.flatMap((orgId) =>
        collectionNames.map(async (name) => [orgId, name, await storage[name].list(orgId, { limit: 1_000 })]),
      );
      return JSON.stringify(await Promise.all(lists), null, 1);
    },
    stop: async () => {},
  };
}

async function dumpOf(storage: Storage): Promise<[string, string][]> {
  const dumps = collectionNames.map(async (name) => {
    const owned = await storage.across[name].find({}, 100_000);
    return owned.flatMap(({ record }) => columnsOf(name, record));
  });
  return (await Promise.all(dumps)).flat();
}

/** Reads all of our tables directly from the database. */
async function dumpTables(pool: pg.Pool): Promise<[string, string][]> {
  const tables = await pool.query(
    "select table_schema || '.' || table_name as name from information_schema.tables where table_schema not in " +
      "('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'",
  );
  const dump: [string, string][] = [];
  for (const { name } of tables.rows) {
    const { rows } = await pool.query(`select row_to_json(t) as row from ${name} t`);
    dump.push(...rows.flatMap(({ row }) => columnsOf(name, row)));
  }
  return dump;
}

/** Reads the rows of all collections in one statement: their lists would take sixty. */
async function readRows(pool: pg.Pool, orgIds: readonly string[]): Promise<string> {
  const tables = collectionSchemas.map(
    ({ table, ownsItself }) =>
      `select '${table}' as name, row_to_json(t)::text as row from va.${table} t ` +
      `where ${ownsItself ? 'id' : 'org_id'} = any($1)`,
  );
  const text = `${tables.join(' union all ')} order by name, row`;
  const { rows } = await pool.query({ name: 'rows-of-organizations', text, values: [orgIds] });
  return JSON.stringify(rows, null, 1);
}

function columnsOf(table: string, row: object): [string, string][] {
  return Object.entries(row).map(([column, value]) => [`${table}.${column}`, JSON.stringify(value) ?? '']);
}
