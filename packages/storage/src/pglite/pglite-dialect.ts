import type { PGlite } from '@electric-sql/pglite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  type QueryResult,
} from 'kysely';
import { Mutex } from '../mutex.ts';

/** Kysely on an open PGlite, which closes with it; `onClosed` runs after that. */
export class PGliteDialect implements Dialect {
  readonly #pglite: PGlite;
  readonly #onClosed: () => Promise<void>;

  constructor(pglite: PGlite, onClosed: () => Promise<void> = async () => {}) {
    this.#pglite = pglite;
    this.#onClosed = onClosed;
  }

  createDriver(): Driver {
    return new PGliteDriver(this.#pglite, this.#onClosed);
  }

  createAdapter(): DialectAdapter {
    return new PostgresAdapter();
  }

  createQueryCompiler(): QueryCompiler {
    return new PostgresQueryCompiler();
  }

  createIntrospector<DB>(db: Kysely<DB>): DatabaseIntrospector {
    return new PostgresIntrospector(db);
  }
}

/** PGlite has one session, so that a transaction has to keep all others out. */
class PGliteDriver implements Driver {
  readonly #pglite: PGlite;
  readonly #connection: DatabaseConnection;
  readonly #session = new Mutex();
  readonly #onClosed: () => Promise<void>;
  #release = (): void => {};

  constructor(pglite: PGlite, onClosed: () => Promise<void>) {
    this.#pglite = pglite;
    this.#onClosed = onClosed;
    this.#connection = new PGliteConnection(pglite);
  }

  async init(): Promise<void> {
    await this.#pglite.waitReady;
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#release = await this.#session.acquire();
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async destroy(): Promise<void> {
    await this.#session.run(() => this.#pglite.close()).finally(this.#onClosed);
  }
}

class PGliteConnection implements DatabaseConnection {
  readonly #pglite: PGlite;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, affectedRows } = await this.#pglite.query<R>(query.sql, [...query.parameters]);
    return { rows, ...(affectedRows === undefined ? {} : { numAffectedRows: BigInt(affectedRows) }) };
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('PGlite has no cursors: read a page at a time.');
  }
}
