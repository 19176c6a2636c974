import { VaError } from '@va/core';
import { type Kysely, sql } from 'kysely';
import { checksum, type Migration } from './migration.ts';

/**
 * What to do about the schema at start: bring it up to date, refuse to start unless it is, or trust it.
 */
export type MigrationMode = 'auto' | 'check' | 'off';

/** The database's schema is not the one that this version of the service needs. */
export class MigrationError extends VaError {}

interface Applied {
  readonly version: number;
  readonly checksum: string;
}

/**
 * Throws `MigrationError`: `migrations_pending` (mode `check` only), `migration_changed` when an applied step is not the
 * one in the code, `schema_too_new` when a later version of the service has migrated the database.
 */
export async function migrate<DB>(
  db: Kysely<DB>,
  options: { schema: string; mode: MigrationMode; migrations: readonly Migration[] },
): Promise<void> {
  const { schema, mode, migrations } = options;
  if (mode === 'off') return;
  if (mode === 'check') {
    const pending = pendingAfter(await readApplied(db, schema), migrations);
    if (pending.length > 0) throw pendingError(schema, pending);
    return;
  }
  await db.transaction().execute(async (tx) => {
    // Held until the end of the transaction, so that of many nodes that start at once one migrates and the others find it done.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${schema}.migrations`}, 0))`.execute(tx);
    const pending = pendingAfter(await readApplied(tx, schema), migrations);
    if (pending.length > 0) await apply(tx, schema, pending);
  });
}

async function readApplied<DB>(db: Kysely<DB>, schema: string): Promise<Applied[]> {
  const found = await sql<{ name: string | null }>`select to_regclass(${`${schema}.migrations`})::text as name`.execute(
    db,
  );
  if (found.rows[0]?.name == null) return [];
  const table = sql.table(`${schema}.migrations`);
  return (await sql<Applied>`select version, checksum from ${table} order by version`.execute(db)).rows;
}

async function apply<DB>(db: Kysely<DB>, schema: string, pending: readonly Migration[]): Promise<void> {
  const table = sql.table(`${schema}.migrations`);
  await sql`create schema if not exists ${sql.id(schema)}`.execute(db);
  await sql`create table if not exists ${table} (
    version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now()
  )`.execute(db);
  for (const migration of pending) {
    for (const statement of migration.statements) {
      await sql.raw(statement.replaceAll('{schema}', `"${schema}"`)).execute(db);
    }
    const { version, name } = migration;
    await sql`insert into ${table} (version, name, checksum) values (${version}, ${name}, ${checksum(migration)})`.execute(
      db,
    );
  }
}

function pendingAfter(applied: readonly Applied[], migrations: readonly Migration[]): Migration[] {
  const byVersion = new Map(migrations.map((migration) => [migration.version, migration]));
  for (const { version, checksum: appliedChecksum } of applied) {
    const migration = byVersion.get(version);
    if (migration === undefined) {
      throw new MigrationError(
        'schema_too_new',
        `The database has migration ${version}, which this version does not know. Run the version that applied it, or a later one.`,
      );
    }
    if (checksum(migration) !== appliedChecksum) {
      throw new MigrationError(
        'migration_changed',
        `Migration ${version} (${migration.name}) differs from the one that was applied to the database.`,
      );
    }
  }
  const done = new Set(applied.map(({ version }) => version));
  return migrations.filter(({ version }) => !done.has(version));
}

function pendingError(schema: string, pending: readonly Migration[]): MigrationError {
  const names = pending.map(({ version, name }) => `${version} ${name}`).join(', ');
  return new MigrationError(
    'migrations_pending',
    `The schema "${schema}" lacks migrations: ${names}. Start once with migrations: 'auto', or apply them beforehand.`,
  );
}
