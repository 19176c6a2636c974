import { createHash } from 'node:crypto';
import { type PostgresServer, startPostgres } from '@va/test-servers/postgres';
import { pglite } from '../../src/pglite/index.ts';
import { postgres } from '../../src/postgres/index.ts';

/** Starts a PostgreSQL server whose database has the whole schema and no records. */
export async function startMigratedPostgres(): Promise<PostgresServer> {
  // PGlite has the same migrations and, without a folder, plans them without a database.
  const plan = JSON.stringify(await pglite().migrations.plan());
  return await startPostgres({
    name: `migrated-${createHash('sha256').update(plan).digest('hex').slice(0, 16)}`,
    async fill(connectionString) {
      const storage = postgres({ connectionString, migrations: 'auto' });
      await storage.start();
      await storage.close();
    },
  });
}
