import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from '@va/core/adapter';
import { loadPeer } from '../load-peer.ts';
import type { MigrationMode } from '../migrations/migrator.ts';
import type { Driver } from '../sql/connection.ts';
import { sqlStorage } from '../sql-storage.ts';
import { createPglite } from './create-pglite.ts';
import { lockFolder } from './folder-lock.ts';
import { PGliteDriver } from './pglite-driver.ts';

export { MigrationError, type MigrationMode } from '../migrations/migrator.ts';

/** Options of `pglite()`. */
export interface PGliteOptions {
  /** Folder of the database, created if missing. Without it, records stay in memory. */
  readonly dir?: string;
  /** Default `auto`. */
  readonly migrations?: MigrationMode;
}

/**
 * Creates a storage in PGlite, a PostgreSQL inside this process, in one folder (`@electric-sql/pglite` is an optional
 * peer). For trials and single small hosts: it has one connection and does not fsync, so a power failure may lose the
 * last writes. One process at a time can open the folder; `start()` of a second one throws `folder_in_use`.
 *
 * @example createVoiceAgents({ storage: pglite({ dir: './va-data' }), … })
 */
export function pglite(options: PGliteOptions = {}): Storage {
  const { dir } = options;
  return sqlStorage({
    open: () => open(dir),
    exists: () => (dir === undefined ? Promise.resolve(false) : isDatabase(dir)),
    persistent: dir !== undefined,
    shared: false,
    schema: 'va',
    migrations: options.migrations ?? 'auto',
    preparedStatements: false,
    notifications: false,
  });
}

async function open(dir: string | undefined): Promise<Driver> {
  const { PGlite } = await loadPeer('@electric-sql/pglite', () => import('@electric-sql/pglite'));
  if (dir === undefined) return new PGliteDriver(await createPglite(PGlite));
  await mkdir(dir, { recursive: true });
  const release = await lockFolder(dir);
  try {
    return new PGliteDriver(await createPglite(PGlite, { dataDir: dir }), release);
  } catch (error) {
    await release();
    throw error;
  }
}

function isDatabase(dir: string): Promise<boolean> {
  return access(join(dir, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}
