import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { PendingMigration, Storage } from '@va/core/adapter';
import { pglite } from '../pglite/index.ts';
import { postgres } from '../postgres/index.ts';

/** Environment and output of the command. */
export interface MigrateIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes a line: SQL and the help text to `out`, messages to `err`. */
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** The help text of the command. */
export const migrateUsage = `Brings the database's schema up to date, before a deployment.

  --plan            prints the SQL instead
  --postgres URL    the PostgreSQL server; DATABASE_URL by default
  --schema va       the schema on that server
  --dir DIR         the folder of an embedded database; ./va-data/db by default
  --help            prints this text
`;

/**
 * Migrates a database or, with `--plan`, prints the SQL. Returns the exit code: 0 on success, 2 for invalid arguments.
 * Throws the storage's errors.
 *
 * @example process.exitCode = await migrate(['--plan'], { env: process.env, out: console.log, err: console.error });
 */
export async function migrate(args: readonly string[], { env, out, err }: MigrateIo): Promise<0 | 2> {
  const options = parseOptions(args);
  if (typeof options === 'string') {
    err(options);
    return 2;
  }
  if (options.help) {
    out(migrateUsage);
    return 0;
  }
  const { migrations } = storageOf(options, env.DATABASE_URL);
  if (options.plan) {
    for (const line of toScript(await migrations.plan())) out(line);
    return 0;
  }
  const applied = await migrations.apply();
  if (applied.length === 0) err('The schema is up to date.');
  for (const { version, name } of applied) err(`Applied ${version} ${name}`);
  return 0;
}

interface MigrateOptions {
  readonly help: boolean;
  readonly plan: boolean;
  readonly postgres?: string | undefined;
  readonly schema?: string | undefined;
  readonly dir?: string | undefined;
}

/** Returns the options, or an error message for invalid arguments. */
function parseOptions(args: readonly string[]): MigrateOptions | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        plan: { type: 'boolean', default: false },
        postgres: { type: 'string' },
        schema: { type: 'string' },
        dir: { type: 'string' },
      },
    });
    if (values.dir === undefined || (values.postgres ?? values.schema) === undefined) return values;
    return 'A database is in a folder (--dir) or on a PostgreSQL server (--postgres, --schema), not in both.';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns the named database, by default the one that `va serve` opens. */
function storageOf({ postgres: url, schema, dir }: MigrateOptions, databaseUrl: string | undefined): Storage {
  const connectionString = url ?? (dir === undefined ? databaseUrl : undefined);
  if (connectionString === undefined) return pglite({ dir: dir ?? join('va-data', 'db') });
  return postgres({ connectionString, ...(schema === undefined ? {} : { schema }) });
}

/**
 * Returns the lines of a script with the pending migrations: statements in one transaction, as `apply` runs them, then
 * scripts unchanged.
 */
function toScript(pending: readonly PendingMigration[]): string[] {
  const statements = pending.filter(({ isScript = false }) => !isScript);
  const scripts = pending.filter(({ isScript = false }) => isScript);
  const lines = statements.flatMap(({ version, name, sql }) => [
    `-- ${version} ${name}`,
    ...sql.map((each) => `${each};`),
  ]);
  return [
    ...(lines.length === 0 ? [] : ['begin;', ...lines, 'commit;']),
    ...scripts.flatMap(({ version, name, sql }) => [`-- ${version} ${name}`, ...sql]),
  ];
}
