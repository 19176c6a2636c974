import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import type { Storage } from '@va/core/adapter';
import { pglite } from '../../src/pglite/index.ts';
import { PGliteDriver } from '../../src/pglite/pglite-driver.ts';
import { sqlStorage } from '../../src/sql-storage.ts';

const cache = fileURLToPath(new URL('../../../../node_modules/.cache/va/', import.meta.url));
const manifest = fileURLToPath(new URL('../package.json', import.meta.resolve('@electric-sql/pglite')));

let template: Promise<Blob> | undefined;

/**
 * A PGlite in memory with the whole schema and no records, not started: all that `pglite()` is, but that PGlite takes
 * eight seconds of work to make a database from nothing, and less than one to open a copy.
 */
export function preparedPglite(options: { readonly onOpened?: (database: PGlite) => void } = {}): Storage {
  return storageOn(async () => {
    const database = await PGlite.create({ loadDataDir: await preparedDatabase() });
    options.onOpened?.(database);
    return database;
  });
}

/** Fills a folder with such a database, for `pglite({ dir })`. */
export async function preparePgliteFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  const database = await PGlite.create(dir, { loadDataDir: await preparedDatabase() });
  await database.close();
}

/** The database, as PGlite dumps it. Where it was not made yet, that takes so long that a hook should wait for it. */
export function preparedDatabase(): Promise<Blob> {
  template ??= readTemplate();
  return template;
}

/** One file for all that it follows from: PGlite's version, and all of the schema. */
async function readTemplate(): Promise<Blob> {
  const [plan, version] = await Promise.all([pglite().migrations.plan(), readFile(manifest, 'utf8')]);
  const key = createHash('sha256').update(JSON.stringify(plan)).update(version).digest('hex').slice(0, 16);
  const file = `${cache}pglite-${key}.tar`;
  const bytes = await readFile(file).catch(() => makeTemplate(file));
  return new Blob([new Uint8Array(bytes)]);
}

/** Two processes may make it at once: the file is one's or the other's. */
async function makeTemplate(file: string): Promise<Buffer> {
  const database = await PGlite.create();
  const storage = storageOn(async () => database);
  await storage.start();
  const dump = Buffer.from(await (await database.dumpDataDir('none')).arrayBuffer());
  await storage.close();
  await mkdir(cache, { recursive: true });
  await writeFile(`${file}.${process.pid}`, dump);
  await rename(`${file}.${process.pid}`, file);
  return dump;
}

/** As `pglite()` has it. */
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
