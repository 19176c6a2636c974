import type { Records } from '@va/core/adapter';
import { type PgPool, postgres } from '@va/storage/postgres';

/** A statement as the service runs it. */
export interface RecordedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Returns the statements that a piece of work sends to the database, in order. */
export async function recordStatements(
  pool: PgPool,
  work: (records: Records) => Promise<unknown>,
): Promise<RecordedStatement[]> {
  const recorded: RecordedStatement[] = [];
  const query: PgPool['query'] = (config) => {
    recorded.push({ text: config.text, values: config.values });
    return pool.query(config);
  };
  const recording = new Proxy(pool, {
    get(target, key) {
      if (key === 'query') return query;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const storage = postgres({ pool: recording, migrations: 'off' });
  await storage.start();
  recorded.length = 0;
  await work(storage);
  await storage.close();
  return recorded;
}
