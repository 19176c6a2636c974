import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import type { PendingMigration, Storage } from '@va/core/adapter';
import { pglite } from '../../src/pglite/index.ts';
import { PGliteDriver } from '../../src/pglite/pglite-driver.ts';
import { sqlStorage } from '../../src/sql-storage.ts';

const cache = fileURLToPath(new URL('../../../../node_modules/.cache/va/', import.meta.url));
const manifest = fileURLToPath(new URL('../package.json', import.meta.resolve('@electric-sql/pglite')));

let migrated: Promise<Blob> | undefined;
let empty: Promise<Blob> | undefined;

/**
 * Returns a PGlite in memory with the whole schema and no records, not started. Behaves like `pglite()`, but opens a
 * copy of a database (0.7 s of processor time) instead of creating one (4 s) and migrating it (1 s).
 */
export function preparedPglite(options: { readonly onOpened?: (database: PGlite) => void } = {}): Storage {
  return storageOn(async () => {
    const database = await PGlite.create({ loadDataDir: await preparedDatabase() });
    options.onOpened?.(database);
    return database;
  });
}

/** Fills a folder with a database that has the whole schema and no records, for `pglite({ dir })`. */
export async function preparePgliteFolder(dir: string): Promise<void> {
  await fillFolder(dir, await preparedDatabase());
}

/** Fills a folder with a database that has no schema yet, for `pglite({ dir })`. */
export async function prepareEmptyFolder(dir: string): Promise<void> {
  empty ??= cached('empty', [], async () => {
    const database = await PGlite.create();
    return await dumpAndClose(database, () => database.close());
  });
  await fillFolder(dir, await empty);
}

/**
 * Returns the dump of a database with the whole schema and no records. The first call on a machine creates the
 * database, so hooks with their longer timeout should make it.
 */
export function preparedDatabase(): Promise<Blob> {
  migrated ??= pglite()
    .migrations.plan()
    .then((plan) =>
      cached('pglite', plan, async () => {
        const database = await PGlite.create();
        const storage = storageOn(async () => database);
        await storage.start();
        return await dumpAndClose(database, () => storage.close());
      }),
    );
  return migrated;
}

async function fillFolder(dir: string, dump: Blob): Promise<void> {
  await mkdir(dir, { recursive: true });
  const database = await PGlite.create(dir, { loadDataDir: dump });
  await database.close();
}

async function dumpAndClose(database: PGlite, close: () => Promise<void>): Promise<Buffer> {
  const dump = await database.dumpDataDir('none');
  await close();
  return Buffer.from(await dump.arrayBuffer());
}

/** Keeps a dump in a file that is named after what it follows from: the version of PGlite, and the schema. */
async function cached(name: string, plan: readonly PendingMigration[], make: () => Promise<Buffer>): Promise<Blob> {
  const version = await readFile(manifest, 'utf8');
  const key = createHash('sha256').update(JSON.stringify(plan)).update(version).digest('hex').slice(0, 16);
  const file = `${cache}${name}-${key}.tar`;
  const bytes = await readFile(file).catch(async () => await store(file, await make()));
  return new Blob([new Uint8Array(bytes)]);
}

/** Writes a file at once, because another process may write, or read, the same one. */
async function store(file: string, bytes: Buffer): Promise<Buffer> {
  await mkdir(cache, { recursive: true });
  await writeFile(`${file}.${process.pid}`, bytes);
  await rename(`${file}.${process.pid}`, file);
  return bytes;
}

/** Has the settings of `pglite()`. */
function storageOn(open: () => Promise<PGlite>): Storage {
  return sqlStorage({
    open: async () => new PGliteDriver(await open()),
    exists: () => Promise.resolve(false),
    persistent: false,
    shared: false,
    schema: 'va',
    migrations: 'auto',
    preparedStatements: false,
    notifications: false,
  });
}
