import type { Storage } from '@va/core/adapter';
import { loadPeer } from '../load-peer.ts';
import type { MigrationMode } from '../migrations/migrator.ts';
import type { Driver } from '../sql/connection.ts';
import { sqlStorage } from '../sql-storage.ts';
import { PgDriver, type PgPool } from './pg-driver.ts';

export { MigrationError, type MigrationMode } from '../migrations/migrator.ts';
export type { PgClient, PgPool } from './pg-driver.ts';

interface CommonOptions {
  /** Schema of the service's tables. Default `va`. */
  readonly schema?: string;
  /** Default `check`: `start()` fails while the schema is not up to date, so that no node migrates unexpectedly. */
  readonly migrations?: MigrationMode;
  /**
   * Default true: the server keeps the plans of the most used statements for each connection. Set it to false behind a
   * pooler that assigns connections per transaction, such as PgBouncer in transaction mode.
   */
  readonly preparedStatements?: boolean;
  /**
   * Default true: one connection of the pool listens for notifications, so that the processes on one database react to
   * each other at once. Set it to false behind a pooler that assigns connections per transaction; processes then poll
   * once a second.
   */
  readonly notifications?: boolean;
}

/**
 * A connection string for a pool of the adapter's own, or the host's pool of the `pg` package, which the host closes.
 */
export type PostgresOptions = CommonOptions &
  ({ readonly connectionString: string; readonly maxConnections?: number } | { readonly pool: PgPool });

/**
 * Creates a storage in PostgreSQL 15 or later (`pg` is an optional peer).
 *
 * `start()` throws `MigrationError`, `missing_peer`, or the connection error. A verb or transaction that loses a
 * conflict such as a deadlock is retried up to four times.
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
