import type { Storage } from '@va/core';
import { type Dialect, PostgresDialect, type PostgresPool } from 'kysely';
import { loadPeer } from '../load-peer.ts';
import type { MigrationMode } from '../migrations/migrate.ts';
import { sqlStorage } from '../sql/sql-storage.ts';

export { MigrationError, type MigrationMode } from '../migrations/migrate.ts';

interface CommonOptions {
  /** The schema that holds all tables of the service. Default `va`. */
  readonly schema?: string;
  /** Default `check`: starting fails while the schema is not up to date, so that no node migrates by surprise. */
  readonly migrations?: MigrationMode;
}

/** A server of our own pool, or the host's pool of the `pg` package, which the host then closes itself. */
export type PostgresOptions = CommonOptions &
  ({ readonly connectionString: string; readonly maxConnections?: number } | { readonly pool: PostgresPool });

/**
 * Records in PostgreSQL 15 or later, through the `pg` package (an optional peer).
 *
 * `start()` throws `MigrationError`, `missing_peer`, or what the server says when it cannot be reached.
 * @example postgres({ connectionString: 'postgres://va@db.example/va', migrations: 'auto' })
 */
export function postgres(options: PostgresOptions): Storage {
  return sqlStorage({
    openDialect: () => openDialect(options),
    singleConnection: false,
    schema: options.schema ?? 'va',
    migrations: options.migrations ?? 'check',
  });
}

async function openDialect(options: PostgresOptions): Promise<Dialect> {
  if ('pool' in options) {
    const { pool } = options;
    return new PostgresDialect({ pool: { connect: () => pool.connect(), end: async () => {} } });
  }
  const { default: pg } = await loadPeer('pg', () => import('pg'));
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
  });
  // An idle connection that breaks leaves the pool by itself; the next statement opens another.
  pool.on('error', () => {});
  return new PostgresDialect({ pool });
}
