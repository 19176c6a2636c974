import { collectionSchemas, type FieldKind } from '@va/core/adapter';
import { type PostgresServer, startPostgres } from '@va/test-servers/postgres';
import { sampleCall } from '@va/testkit';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { initialTables } from '../src/migrations/0001-initial-tables.ts';
import { migrations } from '../src/migrations/migrations.ts';
import { Migrator } from '../src/migrations/migrator.ts';
import { postgres } from '../src/postgres/index.ts';
import { PgDriver } from '../src/postgres/pg-driver.ts';
import { newId } from './support/records.ts';

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  pool = server.openPool();
});

afterAll(async () => {
  await pool.end();
  await server.stop();
});

async function rows(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  return (await pool.query(text, values)).rows;
}

it('refuses to start on an empty database by default, with instructions', async () => {
  const starting = postgres({ pool, schema: 'va_check' }).start();
  await expect(starting).rejects.toMatchObject({ code: 'migrations_pending' });
  await expect(starting).rejects.toThrow(
    /1 initial-tables, 2 whole-service, 3 media-of-calls, 4 webhooks-that-arrive.*migrations: 'auto'.*va migrate/,
  );
  expect(await rows("select 1 from pg_namespace where nspname = 'va_check'")).toEqual([]);
});

it('migrates once when many nodes start at once', async () => {
  const { connectionString } = server;
  const nodes = Array.from({ length: 5 }, () => postgres({ connectionString, schema: 'va_many', migrations: 'auto' }));
  await Promise.all(nodes.map((node) => node.start()));
  expect(await rows('select version from va_many.migrations order by version')).toEqual([
    { version: 1 },
    { version: 2 },
    { version: 3 },
    { version: 4 },
    { version: 5 },
    { version: 6 },
    { version: 7 },
    { version: 8 },
    { version: 9 },
    { version: 10 },
    { version: 11 },
    { version: 12 },
    { version: 13 },
    { version: 14 },
    { version: 15 },
    { version: 16 },
    { version: 17 },
    { version: 18 },
    { version: 19 },
    { version: 20 },
    { version: 21 },
    { version: 22 },
    { version: 23 },
    { version: 24 },
    { version: 25 },
    { version: 26 },
  ]);
  await Promise.all(nodes.map((node) => node.close()));
});

it('creates no tables outside its schema', async () => {
  expect(await rows("select tablename from pg_tables where schemaname = 'public'")).toEqual([]);
});

it('plans SQL that migrates a database by hand, without changing it', async () => {
  const storage = postgres({ pool, schema: 'va_by_hand' });
  const plan = await storage.migrations.plan();
  expect(await rows("select 1 from pg_namespace where nspname = 'va_by_hand'")).toEqual([]);
  await pool.query(plan.flatMap(({ sql }) => sql).join(';\n'));
  expect(await storage.migrations.plan()).toEqual([]);
  await storage.start();
  await storage.close();
});

it('rejects a schema that a later version has migrated, or with a different history', async () => {
  const node = postgres({ pool, schema: 'va_odd', migrations: 'auto' });
  await node.start();
  await node.close();
  await pool.query("insert into va_odd.migrations (version, name, checksum) values (99, 'later', 'x')");
  await expect(node.start()).rejects.toMatchObject({ code: 'schema_too_new' });
  await expect(node.migrations.plan()).rejects.toMatchObject({ code: 'schema_too_new' });
  await pool.query("delete from va_odd.migrations where version = 99; update va_odd.migrations set checksum = 'x'");
  await expect(node.start()).rejects.toMatchObject({ code: 'migration_changed' });
  const trusting = postgres({ pool, schema: 'va_odd', migrations: 'off' });
  await trusting.start();
  await trusting.ping();
  await trusting.close();
});

it('rejects a schema name that would need quoting', () => {
  expect(() => postgres({ pool, schema: 'va"; drop' })).toThrow(/lower-case letters/);
});

it('migrates the records of the first version, and counts its calls', async () => {
  const schema = 'va_old';
  await new Migrator(schema, [initialTables]).apply(new PgDriver(pool, async () => {}));
  const orgId = newId();
  await pool.query(`insert into ${schema}.organizations values ($1, 'Acme', 'self-hosted', null, null, now())`, [
    orgId,
  ]);
  const number = newId();
  await pool.query(
    `insert into ${schema}.phone_numbers (id, org_id, number, transfer_trunk_id, is_active, created_at, updated_at)
      values ($1, $2, '+1', $3, true, now(), now())`,
    [number, orgId, newId()],
  );
  const calls = [sampleCall({ status: 'ended' }), sampleCall({ status: 'failed' }), sampleCall({ status: 'queued' })];
  for (const { id, status } of calls) {
    await pool.query(
      `insert into ${schema}.calls (id, org_id, status, messages, room_name, direction, created_at, updated_at)
        values ($1, $2, $3, '[]', 'r', 'inbound', now(), now())`,
      [id, orgId, status],
    );
  }
  const storage = postgres({ pool, schema, migrations: 'auto' });
  await storage.start();
  const organization = await storage.organizations.get(orgId, orgId);
  expect(organization).toMatchObject({ minutes_balance: null, local_models_approved: false, concurrency_limit: null });
  expect((await storage.numbers.get(orgId, number))?.transfer_trunk_id).toBeNull();
  expect(await storage.calls.count(orgId)).toBe(3);
  expect(await storage.calls.count(orgId, { where: { status: 'ended' } })).toBe(1);
  expect(await storage.calls.list(orgId, { limit: 9 })).toHaveLength(3);
  await storage.close();
});

it('fills the statistics from ended calls', async () => {
  const schema = 'va_before_statistics';
  const before = migrations.filter(({ version }) => version < 21);
  await new Migrator(schema, before).apply(new PgDriver(pool, async () => {}));
  const [orgId, ended, failed] = [newId(), newId(), newId()];
  const insertCall = `insert into ${schema}.calls
    (id, org_id, status, end_reason, messages, room_name, direction, created_at, updated_at, webhook_sequence)
    values ($1, $2, $3, $4, '[]', 'r', 'inbound', '2026-03-01T23:30:00Z', now(), 0)`;
  await pool.query(insertCall, [ended, orgId, 'ended', 'user_hangup']);
  await pool.query(insertCall, [failed, orgId, 'failed', 'busy']);
  await pool.query(insertCall, [newId(), orgId, 'in-progress', null]);
  const latency = { turns: [250, 450, 12_000].map((total_ms) => ({ total_ms })), interruptions_ms: [80] };
  await pool.query(
    `update ${schema}.calls set answered_at = now(), duration_seconds = 30, latency = $2 where id = $1`,
    [ended, latency],
  );
  for (const ok of [true, false]) {
    await pool.query(
      `insert into ${schema}.call_events (id, org_id, call_id, seq, type, data, created_at)
        values ($1, $2, $3, $4, 'tool-result', $5, now())`,
      [newId(), orgId, ended, ok ? 1 : 2, { ok }],
    );
  }
  const storage = postgres({ pool, schema, migrations: 'auto' });
  await storage.start();
  expect(await storage.callStatistics.count(orgId)).toBe(2);
  expect(await storage.callStatistics.get(orgId, failed)).toMatchObject({ end_reason: 'busy', answered: 0, turns: 0 });
  expect(await storage.callStatistics.get(orgId, ended)).toMatchObject({
    ...{ id: ended, day: '2026-03-01', end_reason: 'user_hangup', answered: 1, duration_seconds: 30 },
    ...{ turns: 3, interruptions: 1, tool_calls: 2, failed_tools: 1 },
    ...{ turns_to_200: 0, turns_to_300: 1, turns_to_500: 1, turns_to_10000: 0, turns_longer: 1 },
  });
  const where = { created_at: { gte: '2026-03-01T00:00:00.000Z', lt: '2026-03-02T00:00:00.000Z' } };
  const sums = ['answered', 'turns', 'turns_longer'] as const;
  expect(await storage.callStatistics.sumGroups(orgId, { by: ['day'], sums, limit: 9, where })).toEqual([
    { day: '2026-03-01', count: 2, answered: 1, turns: 3, turns_longer: 1 },
  ]);
  await storage.close();
});

it('has a column for every field of every collection, and the named constraints', async () => {
  const schema = 'va_columns';
  await postgres({ pool, schema, migrations: 'auto' }).migrations.apply();
  const columns = await rows(
    `select table_name, column_name, data_type, is_nullable from information_schema.columns where table_schema = $1`,
    [schema],
  );
  const constraints = (
    await rows('select conname from pg_constraint where connamespace = $1::regnamespace', [schema])
  ).map(({ conname }) => conname);
  const types: Readonly<Record<FieldKind, string>> = {
    uuid: 'uuid',
    text: 'text',
    integer: 'bigint',
    number: 'double precision',
    boolean: 'boolean',
    timestamp: 'timestamp with time zone',
    json: 'json',
  };
  for (const { table, ownsItself, fields, unique, references, searched } of collectionSchemas) {
    const expected = fields.map(({ name, kind, nullable }) => `${name} ${types[kind]} ${nullable ? 'YES' : 'NO'}`);
    const actual = columns
      .filter(({ table_name }) => table_name === table)
      .map(({ column_name, data_type, is_nullable }) => `${column_name} ${data_type} ${is_nullable}`);
    const owner = ownsItself ? [] : ['org_id uuid NO'];
    const words = searched.map((name) => `${name}_words tsvector YES`);
    expect(actual.sort(), table).toEqual([...expected, ...owner, ...words].sort());
    const names = [...unique.map(({ name }) => `${name}_key`), ...references.map(({ field }) => `${field}_fkey`)];
    for (const name of names) expect(constraints).toContain(`${table}_${name}`);
  }
});
