import {
  collectionSchemas,
  hasWords,
  type Records,
  recordsOf,
  type Storage,
  StorageCapabilityError,
  TransactionScope,
  VaError,
  wordsOf,
} from '@va/core/adapter';
import Sqlite, { type Database } from 'better-sqlite3';
import { Table } from './table.ts';
import { type Run, sqliteAcross, sqliteCollection, type TableOf } from './verbs.ts';

/**
 * Returns a storage in a SQLite file, for one process. Verbs run one after the other: the work of a transaction may
 * wait for other things, and no other verb may run in between.
 */
export function sqliteStorage(options: { readonly file: string }): Storage {
  const scope = new TransactionScope();
  let db: Database | null = null;
  let lastTurn: Promise<unknown> = Promise.resolve();

  function opened(): Database {
    if (db === null) throw new VaError('storage_not_started', 'The storage is not started, or is closed.');
    scope.refuseNesting();
    return db;
  }

  async function inTurn<T>(work: (db: Database) => T | Promise<T>): Promise<T> {
    const database = opened();
    const turn = lastTurn.then(() => work(database));
    lastTurn = turn.catch(() => {});
    return await turn;
  }

  return {
    ...records((step) => inTurn((database) => database.transaction(() => step(database)).immediate())),
    capabilities: { persistent: true, shared: false, migrations: false },
    migrations: {
      plan: () => Promise.reject(new StorageCapabilityError('migrations')),
      apply: () => Promise.reject(new StorageCapabilityError('migrations')),
    },

    async start() {
      if (db !== null) return;
      const starting = new Sqlite(options.file);
      starting.pragma('journal_mode = wal');
      starting.pragma('foreign_keys = on');
      starting.function('has_words', { deterministic: true }, hasWordsIn);
      for (const table of tables.values()) for (const statement of table.ddl(tableOf)) starting.exec(statement);
      db = starting;
    },

    async close() {
      const closing = db;
      db = null;
      await lastTurn;
      closing?.close();
    },

    async ping() {
      opened().prepare('select 1').get();
    },

    transaction: (work) =>
      inTurn(async (database) => {
        database.exec('begin immediate');
        try {
          const result = await scope.run((transaction) =>
            work(records((step) => transaction.verb(() => database.transaction(() => step(database))()))),
          );
          database.exec('commit');
          return result;
        } catch (error) {
          database.exec('rollback');
          throw error;
        }
      }),
  };
}

const tables = new Map(collectionSchemas.map((schema) => [schema.name, new Table(schema)]));

const tableOf: TableOf = (name) => {
  const table = tables.get(name);
  if (table === undefined) throw new Error(`There is no collection ${name}.`);
  return table;
};

function records(run: Run): Records {
  return recordsOf(
    (name) => sqliteCollection(run, tableOf(name), tableOf),
    (name) => sqliteAcross(run, tableOf(name), tableOf),
  );
}

/** Returns 1 if the texts of a JSON field have all the words, else 0; for conditions in SQL. */
function hasWordsIn(messages: unknown, words: unknown): number {
  const items = JSON.parse(String(messages)) as readonly { readonly content: string }[];
  const text = items.map(({ content }) => content).join(' ');
  return Number(hasWords(wordsOf(text), JSON.parse(String(words)) as string[]));
}
