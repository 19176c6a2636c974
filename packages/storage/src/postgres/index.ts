import type { Storage } from '@va/core';
import { loadPeer } from '../load-peer.ts';
import type { MigrationMode } from '../migrations/migrator.ts';
import type { Driver } from '../sql/connection.ts';
import { sqlStorage } from '../sql/sql-storage.ts';
import { PgDriver, type PgPool } from './pg-driver.ts';

export { MigrationError, type MigrationMode } from '../migrations/migrator.ts';
export type { PgClient, PgPool } from './pg-driver.ts';

interface CommonOptions {
  /** The schema that holds all tables of the service. Default `va`. */
  readonly schema?: string;
  /** Default `check`: starting fails while the schema is not up to date, so that no node migrates by surprise. */
  readonly migrations?: MigrationMode;
  /**
   * Default true: the server keeps the plans of the statements that are used most, for each connection. Set it to false
   * behind a pooler that gives each transaction another connection, such as PgBouncer in its mode `transaction`.
   */
  readonly preparedStatements?: boolean;
  /**
   * Default true: one connection of the pool stays open to listen, so that the processes on one database hear of each other at once. Set it
   * to false behind a pooler that gives each transaction another connection: they then look for news once a second.
   */
  readonly notifications?: boolean;
}

/** A server of our own pool, or the host's pool of the `pg` package, which the host then closes itself. */
export type PostgresOptions = CommonOptions &
  ({ readonly connectionString: string; readonly maxConnections?: number } | { readonly pool: PgPool });

/**
 * Records in PostgreSQL 15 or later, through the `pg` package (an optional peer).
 *
 * `start()` throws `MigrationError`, `missing_peer`, or what the server says when it cannot be reached. A verb that loses
 * against another one (a deadlock) is tried again, and so is the work of a transaction, up to four times.
 * @example postgres({ connectionString: 'postgres://va@db.example/va', migrations: 'auto' })
 */
export function postgres(options: PostgresOptions): Storage {
  return sqlStorage({
    open: () => open(options),
    exists: () => Promise.resolve(true),
    persistent: true,
    shared: true,
    schema: options.schema ?? 'va',
    migrations: options.migrations ?? 'check',
    preparedStatements: options.preparedStatements ?? true,
    notifications: options.notifications ?? true,
  });
}

async function open(options: PostgresOptions): Promise<Driver> {
  if ('pool' in options) return new PgDriver(options.pool, async () => {});
  const { default: pg } = await loadPeer('pg', () => import('pg'));
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
  });
  return new PgDriver(pool, () => pool.end());
}
