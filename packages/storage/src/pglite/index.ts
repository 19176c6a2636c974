import { mkdir } from 'node:fs/promises';
import type { Storage } from '@va/core';
import { loadPeer } from '../load-peer.ts';
import type { MigrationMode } from '../migrations/migrate.ts';
import { sqlStorage } from '../sql/sql-storage.ts';
import { lockFolder } from './folder-lock.ts';
import { PGliteDialect } from './pglite-dialect.ts';

export { MigrationError, type MigrationMode } from '../migrations/migrate.ts';

export interface PGliteOptions {
  /** The folder to keep the records in; made when it is not there. Without one they stay in memory. */
  readonly dir?: string;
  /** Default `auto`. */
  readonly migrations?: MigrationMode;
}

/**
 * Records in a PostgreSQL inside this process, in one folder, through the `@electric-sql/pglite` package (an optional
 * peer). For trials and single small hosts: it has one connection and does not fsync, so that a power cut may lose what
 * was written last. One process at a time can have the folder open; `start()` of
 * a second one throws `folder_in_use`.
 */
export function pglite(options: PGliteOptions = {}): Storage {
  const { dir } = options;
  return sqlStorage({
    async openDialect() {
      const { PGlite } = await loadPeer('@electric-sql/pglite', () => import('@electric-sql/pglite'));
      if (dir === undefined) return new PGliteDialect(await PGlite.create());
      await mkdir(dir, { recursive: true });
      const release = await lockFolder(dir);
      try {
        return new PGliteDialect(await PGlite.create(dir), release);
      } catch (error) {
        await release();
        throw error;
      }
    },
    singleConnection: true,
    schema: 'va',
    migrations: options.migrations ?? 'auto',
  });
}
