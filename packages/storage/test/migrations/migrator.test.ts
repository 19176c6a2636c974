import { describe, expect, it } from 'vitest';
import { checksum, type Migration } from '../../src/migrations/migration.ts';
import { Migrator } from '../../src/migrations/migrator.ts';
import type { Driver, Result } from '../../src/sql/connection.ts';

const first: Migration = { version: 1, name: 'first', statements: ['create table {schema}.one ()'] };
const second: Migration = { version: 2, name: 'second', statements: ['create table {schema}.two ()'] };

interface Applied {
  readonly version: number;
  readonly checksum: string;
}

/** A database that knows its version and the applied migrations; null without the schema. */
function database(applied: readonly Applied[] | null, version = '17.2'): Driver & { readonly statements: string[] } {
  const statements: string[] = [];
  const answers: readonly [string, Result['rows']][] = [
    ['to_regclass', [{ name: applied === null ? null : 'va.migrations' }]],
    ['select version, checksum', (applied ?? []).map((row) => ({ ...row }))],
    ['show server_version', [{ server_version: version }]],
  ];
  const driver: Driver & { readonly statements: string[] } = {
    statements,
    async query(text) {
      statements.push(text);
      const rows = answers.find(([part]) => text.includes(part))?.[1] ?? [];
      return { rows, rowCount: rows.length };
    },
    transaction: (work) => work(driver),
    script: () => Promise.reject(new Error('Migrations are no scripts.')),
    close: async () => {},
  };
  return driver;
}

const done = (...migrations: readonly Migration[]): Applied[] =>
  migrations.map((each) => ({ version: each.version, checksum: checksum(each) }));
const migrator = new Migrator('va', [first, second]);

describe('Migrator.plan', () => {
  it('returns the pending migrations, with the name of the schema and their own record', async () => {
    const [pending, ...others] = await migrator.plan(database(done(first)));
    expect(others).toEqual([]);
    expect(pending).toMatchObject({ version: 2, name: 'second' });
    expect(pending?.sql).toEqual([
      'create table "va".two ()',
      `insert into "va".migrations (version, name, checksum) values (2, 'second', '${checksum(second)}')`,
    ]);
  });

  it('returns all migrations without a schema, and begins with its creation', async () => {
    const pending = await migrator.plan(database(null));
    expect(pending.map(({ version }) => version)).toEqual([1, 2]);
    expect(pending[0]?.sql[0]).toBe('create schema if not exists "va"');
    expect(pending[0]?.sql[1]).toMatch(/^create table "va".migrations/);
    expect(pending).toEqual(migrator.planFromNothing());
  });

  it('returns nothing for a current schema', async () => {
    expect(await migrator.plan(database(done(first, second)))).toEqual([]);
  });

  it.each([
    ['a later version has migrated', [...done(first, second), { version: 3, checksum: 'x' }], 'schema_too_new', '3'],
    ['has another history', [...done(first), { version: 2, checksum: 'x' }], 'migration_changed', '2 (second)'],
  ])('refuses a schema that %s', async (_name, applied, code, part) => {
    const planning = migrator.plan(database(applied));
    await expect(planning).rejects.toMatchObject({ code });
    await expect(planning).rejects.toThrow(part);
  });
});

describe('Migrator.apply', () => {
  it('plans under a lock, and runs the pending statements', async () => {
    const driver = database(done(first));
    expect(await migrator.apply(driver)).toMatchObject([{ version: 2 }]);
    const at = (part: string): number => driver.statements.findIndex((text) => text.includes(part));
    expect(at('pg_advisory_xact_lock')).toBeGreaterThanOrEqual(0);
    expect(at('pg_advisory_xact_lock')).toBeLessThan(at('select version, checksum'));
    expect(driver.statements.slice(-2)).toEqual([
      'create table "va".two ()',
      expect.stringMatching(/^insert into "va".migrations/),
    ]);
  });

  it.each([
    ['14.9', false],
    ['15.0', true],
    ['18beta1', true],
  ])('accepts a server of version %s: %j', async (version, isAccepted) => {
    const applying = migrator.apply(database(done(first, second), version));
    if (isAccepted) expect(await applying).toEqual([]);
    else
      await expect(applying).rejects.toMatchObject({ code: 'server_too_old', message: expect.stringContaining('15') });
  });
});

describe('Migrator.bringUp', () => {
  it.each([
    ['auto', done(first), true],
    ['check', done(first, second), false],
    ['off', done(first), false],
    ['off', null, false],
  ] as const)('in the mode %s brings up %j: %j', async (mode, applied, isMigrated) => {
    const driver = database(applied);
    await migrator.bringUp(driver, mode);
    expect(driver.statements.some((text) => text.startsWith('create table'))).toBe(isMigrated);
  });

  it('in the mode check names the missing migrations, and what to do', async () => {
    const driver = database(done(first));
    const checking = migrator.bringUp(driver, 'check');
    await expect(checking).rejects.toMatchObject({ code: 'migrations_pending' });
    await expect(checking).rejects.toThrow(/"va" lacks migrations: 2 second\..*migrations: 'auto'.*va migrate/);
    expect(driver.statements.some((text) => text.startsWith('create'))).toBe(false);
  });
});

describe('a schema name', () => {
  it.each(['va', '_va', 'va_2', 'a'.repeat(63)])('may be %s', (name) => {
    expect(new Migrator(name, []).planFromNothing()).toEqual([]);
  });

  it.each(['', 'VA', '2va', 'va-2', 'va"; drop', 'a'.repeat(64)])('is refused as %j', (name) => {
    expect(() => new Migrator(name, [])).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  });
});
