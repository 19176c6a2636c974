import { createHash } from 'node:crypto';
import { access, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import type { PendingMigration, Storage } from '@va/core/adapter';
import { createPglite } from '../../src/pglite/create-pglite.ts';
import { pglite } from '../../src/pglite/index.ts';
import { PGliteDriver } from '../../src/pglite/pglite-driver.ts';
import { sqlStorage } from '../../src/sql-storage.ts';

const cache = fileURLToPath(new URL('../../../../node_modules/.cache/va/', import.meta.url));
const manifest = fileURLToPath(new URL('../package.json', import.meta.resolve('@electric-sql/pglite')));

let migrated: Promise<Blob> | undefined;
/** Folders of dumps, by the file of the dump. */
const templates = new Map<string, Promise<string>>();

/**
 * Returns a PGlite in memory with the whole schema and no records, not started. Behaves like `pglite()`, but opens a
 * copy of a database (0.4 s of processor time) instead of creating one (3 s) and migrating it (1 s).
 */
export function preparedPglite(options: { readonly onOpened?: (database: PGlite) => void } = {}): Storage {
  return storageOn(async () => {
    const database = await createPglite(PGlite, { loadDataDir: await preparedDatabase() });
    options.onOpened?.(database);
    return database;
  });
}

/** Fills a folder with a database that has the whole schema and no records, for `pglite({ dir })`. */
export async function preparePgliteFolder(dir: string): Promise<void> {
  await fillFolder(dir, await migratedFile());
}

/** Fills a folder with a database that has no schema yet, for `pglite({ dir })`. */
export async function prepareEmptyFolder(dir: string): Promise<void> {
  await fillFolder(dir, await emptyFile());
}

/**
 * Returns the dump of a database with the whole schema and no records. The first call on a machine creates the
 * database, so hooks with their longer timeout should make it.
 */
export function preparedDatabase(): Promise<Blob> {
  migrated ??= migratedFile().then(readDump);
  return migrated;
}

async function migratedFile(): Promise<string> {
  return await cachedFile('pglite', await pglite().migrations.plan(), async () => {
    const database = await createPglite(PGlite);
    const storage = storageOn(async () => database);
    await storage.start();
    return await dumpAndClose(database, () => storage.close());
  });
}

async function emptyFile(): Promise<string> {
  return await cachedFile('empty', [], async () => {
    const database = await createPglite(PGlite);
    return await dumpAndClose(database, () => database.close());
  });
}

/** Dumps a database without its templates for further ones, which would be a third of what each copy has to read. */
async function dumpAndClose(database: PGlite, close: () => Promise<void>): Promise<Buffer> {
  await database.exec('update pg_database set datistemplate = false');
  await database.exec('drop database template0');
  await database.exec('drop database template1');
  await database.exec('checkpoint');
  const dump = await database.dumpDataDir('none');
  await close();
  return Buffer.from(await dump.arrayBuffer());
}

/** Returns the file of a dump, named after the version of PGlite and the schema; makes the dump if it is missing. */
async function cachedFile(
  name: string,
  plan: readonly PendingMigration[],
  make: () => Promise<Buffer>,
): Promise<string> {
  const version = await readFile(manifest, 'utf8');
  const key = createHash('sha256').update(JSON.stringify(plan)).update(version).digest('hex').slice(0, 16);
  const file = `${cache}${name}-${key}.tar`;
  if (await exists(file)) return file;
  const dump = await make();
  await mkdir(cache, { recursive: true });
  await writeFile(`${file}.${process.pid}`, dump);
  // Replaces the file at once, because another process may read it.
  await rename(`${file}.${process.pid}`, file);
  return file;
}

/** Copies the folder of a dump. Copying takes a tenth of the processor time of loading the dump. */
async function fillFolder(dir: string, file: string): Promise<void> {
  const template = templates.get(file) ?? templateOf(file);
  templates.set(file, template);
  await cp(await template, dir, { recursive: true });
}

/** Returns the folder of a dump; makes it if it is missing. */
async function templateOf(file: string): Promise<string> {
  const template = file.replace(/\.tar$/, '');
  if (await exists(template)) return template;
  const own = `${template}.${process.pid}`;
  await mkdir(own);
  const database = await createPglite(PGlite, { dataDir: own, loadDataDir: await readDump(file) });
  await database.close();
  // Fails if another process was faster, whose folder is the same.
  await rename(own, template).catch(() => rm(own, { recursive: true }));
  return template;
}

/** A dump whose bytes are not copied for each reader: a blob takes longer for that than PGlite to open the database. */
class Dump extends Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    super([]);
    this.#bytes = bytes;
  }

  /** Readers must not change the bytes. */
  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(this.#bytes.buffer);
  }
}

async function readDump(file: string): Promise<Blob> {
  // Copied once, because a buffer may be a part of a larger one.
  return new Dump(new Uint8Array(await readFile(file)));
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
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
