import { ReferenceViolation, type Storage, UniqueViolation } from '@va/core';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgres } from '../src/postgres/index.ts';
import { type PostgresServer, startPostgres } from './support/postgres-server.ts';
import { newAgent, newCall, newId, newNumber } from './support/records.ts';
import { storageSuite } from './support/storage-suite.ts';

let server: PostgresServer;
let storage: Storage;
/** Several nodes on one database, each with its own pool. */
let nodes: Storage[];

beforeAll(async () => {
  server = await startPostgres();
  const { connectionString } = server;
  storage = postgres({ connectionString, migrations: 'auto' });
  await storage.start();
  nodes = Array.from({ length: 4 }, () => postgres({ connectionString, maxConnections: 3 }));
  await Promise.all(nodes.map((node) => node.start()));
});

afterAll(async () => {
  await Promise.all([storage, ...nodes].map((each) => each.close()));
  await server.stop();
});

storageSuite('postgres', () => storage);

function onEveryNode<T>(
  times: number,
  work: (node: Storage, n: number) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  const runs = Array.from({ length: times }).flatMap((_, round) => nodes.map((node, n) => work(node, round * 100 + n)));
  return Promise.allSettled(runs);
}

describe('postgres: nodes at once', () => {
  it('lets one of many registrations of a number win', async () => {
    const { number } = newNumber();
    const results = await onEveryNode(4, (node) => node.numbers.insert(newId(), newNumber({ number })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(errors.every((error) => error instanceof UniqueViolation && error.constraint === 'number')).toBe(true);
  });

  it('lets one of many transitions of a call win', async () => {
    const orgId = newId();
    for (let round = 0; round < 10; round += 1) {
      const call = newCall({ status: 'in-progress' });
      await storage.calls.insert(orgId, call);
      const results = await onEveryNode(3, (node, n) =>
        node.calls.update(orgId, call.id, ['in-progress'], { status: n % 2 ? 'ended' : 'failed', duration_seconds: n }),
      );
      const won = results.flatMap((result) => (result.status === 'fulfilled' && result.value ? [result.value] : []));
      expect(results.every(({ status }) => status === 'fulfilled')).toBe(true);
      expect(won).toHaveLength(1);
      expect(await storage.calls.get(orgId, call.id)).toEqual(won[0]);
    }
  });

  it('leaves no number with a deleted agent when it is assigned at the same moment', async () => {
    const orgId = newId();
    for (let round = 0; round < 15; round += 1) {
      const agent = newAgent();
      await storage.agents.insert(orgId, agent);
      const [first, second] = nodes as [Storage, Storage];
      const [deleted, assigned] = await Promise.allSettled([
        first.agents.delete(orgId, agent.id),
        second.numbers.insert(orgId, newNumber({ agent_id: agent.id })),
      ]);
      expect(deleted.status).toBe('fulfilled');
      if (assigned.status === 'rejected') expect(assigned.reason).toBeInstanceOf(ReferenceViolation);
    }
    const numbers = await storage.numbers.list(orgId, { limit: 100, offset: 0 });
    expect(numbers.filter(({ agent_id }) => agent_id !== null)).toEqual([]);
  });
});

describe('postgres: the schema', () => {
  const options = (schema: string): { connectionString: string; schema: string } => ({
    connectionString: server.connectionString,
    schema,
  });

  async function query(text: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: server.connectionString });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  it('refuses to start on an empty database by default, and says what to do', async () => {
    const starting = postgres(options('va_check')).start();
    await expect(starting).rejects.toMatchObject({ code: 'migrations_pending' });
    await expect(starting).rejects.toThrow(/1 initial-tables.*migrations: 'auto'/);
    expect(await query("select 1 from pg_namespace where nspname = 'va_check'")).toEqual([]);
  });

  it('migrates once when many nodes start at once', async () => {
    const starting = Array.from({ length: 5 }, () => postgres({ ...options('va_many'), migrations: 'auto' }));
    await Promise.all(starting.map((node) => node.start()));
    expect(await query('select version from va_many.migrations')).toEqual([{ version: 1 }]);
    await Promise.all(starting.map((node) => node.close()));
  });

  it('keeps its tables to its schema', async () => {
    expect(await query("select tablename from pg_tables where schemaname = 'public'")).toEqual([]);
  });

  it('refuses a schema that a later version has migrated, or one whose history differs', async () => {
    const node = postgres({ ...options('va_odd'), migrations: 'auto' });
    await node.start();
    await node.close();
    await query("insert into va_odd.migrations (version, name, checksum) values (99, 'later', 'x')");
    await expect(node.start()).rejects.toMatchObject({ code: 'schema_too_new' });
    await query("delete from va_odd.migrations where version = 99; update va_odd.migrations set checksum = 'x'");
    await expect(node.start()).rejects.toMatchObject({ code: 'migration_changed' });
    const trusting = postgres({ ...options('va_odd'), migrations: 'off' });
    await trusting.start();
    await trusting.ping();
    await trusting.close();
  });

  it('refuses a schema name that would need quoting', () => {
    expect(() => postgres(options('va"; drop'))).toThrow(/lower-case letters/);
  });
});

describe('postgres: connections', () => {
  it("uses a host's pool and leaves it open", async () => {
    const pool = new pg.Pool({ connectionString: server.connectionString });
    const node = postgres({ pool });
    await node.start();
    await node.ping();
    await node.close();
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('goes on after the server has cut its idle connections', async () => {
    const node = postgres({ connectionString: server.connectionString, maxConnections: 2 });
    await node.start();
    await node.ping();
    const cutter = new pg.Client({ connectionString: server.connectionString });
    await cutter.connect();
    await cutter.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and query like $1',
      ['select 1%'],
    );
    await cutter.end();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await node.ping();
    await node.close();
  });

  it('says so when no server answers', async () => {
    const node = postgres({ connectionString: 'postgres://x@127.0.0.1:1/x' });
    await expect(node.start()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
