import type { PGlite } from '@electric-sql/pglite';
import { Mutex } from '../mutex.ts';
import type { Driver, Result, SqlConnection } from '../sql/connection.ts';
import type { PGliteLike } from '../sql/pglite-like.ts';

/**
 * Driver of an open PGlite, which it closes. The PGlite has to be opened by `createPglite`, which sets the parsers.
 *
 * @param onClosed runs after the database is closed
 */
export class PGliteDriver implements Driver {
  readonly pglite: PGliteLike;
  readonly #session: SqlConnection;
  readonly #pglite: PGlite;
  readonly #onClosed: () => Promise<void>;
  /** PGlite has one session: statements outside an open transaction wait for its end. */
  readonly #turns = new Mutex();

  constructor(pglite: PGlite, onClosed: () => Promise<void> = async () => {}) {
    this.#pglite = pglite;
    this.#onClosed = onClosed;
    this.#session = { query: (text, values) => query(pglite, text, values) };
    this.pglite = {
      query: (text, params) => this.#turns.run(() => pglite.query(text, params)),
      exec: (text) => this.#turns.run(() => pglite.exec(text)),
    };
  }

  async query(text: string, values: readonly unknown[]): Promise<Result> {
    return await this.#turns.run(() => this.#session.query(text, values));
  }

  async transaction<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    return await this.#turns.run(async () => {
      await this.#session.query('begin', []);
      try {
        const result = await work(this.#session);
        await this.#session.query('commit', []);
        return result;
      } catch (error) {
        await this.#session.query('rollback', []);
        throw error;
      }
    });
  }

  async script(text: string): Promise<Result['rows']> {
    return await this.#turns.run(async () => {
      try {
        const results = await this.#pglite.exec(text);
        return results.flatMap(({ rows }) => rows);
      } catch (error) {
        await this.#session.query('rollback', []);
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    await this.#turns.run(() => this.#pglite.close()).finally(this.#onClosed);
  }
}

async function query(pglite: PGlite, text: string, values: readonly unknown[]): Promise<Result> {
  const { rows, affectedRows = 0 } = await pglite.query<Record<string, unknown>>(text, [...values]);
  return { rows, rowCount: affectedRows };
}
