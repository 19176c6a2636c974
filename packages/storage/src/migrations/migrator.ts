import { type PendingMigration, VaError } from '@va/core/adapter';
import type { Driver, SqlConnection } from '../sql/connection.ts';
import { checksum, type Migration } from './migration.ts';

/**
 * Action of `start()` on the schema: `auto` migrates it, `check` refuses to start unless it is current, `off` trusts
 * it.
 */
export type MigrationMode = 'auto' | 'check' | 'off';

/** Error of a schema that this version cannot use or migrate, or of a server that is too old. */
export class MigrationError extends VaError {}

/** The first PostgreSQL version whose references can set a single column to null. */
const oldestServer = 15;

/** Migrates one schema of a database. */
export class Migrator {
  readonly #schema: string;
  readonly #migrations: readonly Migration[];

  constructor(schema: string, migrations: readonly Migration[]) {
    if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
      throw new VaError(
        'invalid_options',
        `The schema name "${schema}" is invalid: expected lower-case letters, digits and _, at most 63.`,
      );
    }
    this.#schema = schema;
    this.#migrations = migrations;
  }

  /**
   * Migrates or checks the schema, depending on the mode. Throws `MigrationError`: `migrations_pending` in the mode
   * `check`, and the errors of `apply` or `plan` unless the mode is `off`.
   */
  async bringUp(driver: Driver, mode: MigrationMode): Promise<void> {
    if (mode === 'auto') await this.apply(driver);
    if (mode !== 'check') return;
    const pending = await this.plan(driver);
    if (pending.length === 0) return;
    const names = pending.map(({ version, name }) => `${version} ${name}`).join(', ');
    throw new MigrationError(
      'migrations_pending',
      `The schema "${this.#schema}" lacks migrations: ${names}. ` +
        "Start once with migrations: 'auto', or run `va migrate`.",
    );
  }

  /**
   * Returns the pending migrations. Throws `MigrationError`: `migration_changed` if an applied migration differs from
   * the code, `schema_too_new` if a later version has migrated the database.
   */
  async plan(connection: SqlConnection): Promise<PendingMigration[]> {
    const found = await connection.query('select to_regclass($1)::text as name', [`${this.#schema}.migrations`]);
    if (found.rows[0]?.name == null) return this.planFromNothing();
    const applied = await connection.query(`select version, checksum from ${this.#table} order by version`, []);
    const byVersion = new Map(this.#migrations.map((migration) => [migration.version, migration]));
    for (const row of applied.rows) check(row, byVersion.get(Number(row.version)));
    const done = new Set(applied.rows.map(({ version }) => Number(version)));
    return this.#migrations.filter(({ version }) => !done.has(version)).map((migration) => this.#pending(migration));
  }

  /** Returns all migrations, for a database without the schema. */
  planFromNothing(): PendingMigration[] {
    const foundation = [
      `create schema if not exists "${this.#schema}"`,
      `create table ${this.#table} (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`,
    ];
    return this.#migrations.map((migration, index) => {
      const pending = this.#pending(migration);
      return index === 0 ? { ...pending, sql: [...foundation, ...pending.sql] } : pending;
    });
  }

  /** Applies the pending migrations in one transaction. Throws the errors of `plan`, and `server_too_old`. */
  async apply(driver: Driver): Promise<PendingMigration[]> {
    return await driver.transaction(async (connection) => {
      await checkServer(connection);
      // Held until the end of the transaction: of nodes that start at once, one migrates and the others find it done.
      await connection.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${this.#schema}.migrations`]);
      await connection.query('set local statement_timeout = 0', []);
      const pending = await this.plan(connection);
      for (const statement of pending.flatMap(({ sql }) => sql)) await connection.query(statement, []);
      return pending;
    });
  }

  get #table(): string {
    return `"${this.#schema}".migrations`;
  }

  #pending(migration: Migration): PendingMigration {
    const { version, name, statements } = migration;
    const values = `${version}, '${name}', '${checksum(migration)}'`;
    const sql = statements.map((statement) => statement.replaceAll('{schema}', `"${this.#schema}"`));
    return { version, name, sql: [...sql, `insert into ${this.#table} (version, name, checksum) values (${values})`] };
  }
}

async function checkServer(connection: SqlConnection): Promise<void> {
  const { rows } = await connection.query('show server_version', []);
  const version = String(rows[0]?.server_version);
  if (Number.parseInt(version, 10) >= oldestServer) return;
  throw new MigrationError('server_too_old', `The server is PostgreSQL ${version}: expected ${oldestServer} or later.`);
}

function check(applied: Readonly<Record<string, unknown>>, migration: Migration | undefined): void {
  if (migration === undefined) {
    throw new MigrationError(
      'schema_too_new',
      `The database has migration ${applied.version}, which this version does not know. ` +
        'Run the version that applied it, or a later one.',
    );
  }
  if (checksum(migration) === applied.checksum) return;
  throw new MigrationError(
    'migration_changed',
    `Migration ${migration.version} (${migration.name}) differs from the one that was applied to the database.`,
  );
}
