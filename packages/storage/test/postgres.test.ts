import type { Storage } from '@va/core/adapter';
import { type PostgresServer, startPostgres } from '@va/test-servers/postgres';
import { sampleAgent, sampleCall } from '@va/testkit';
import { storageConformance } from '@va/testkit/storage';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { postgres } from '../src/postgres/index.ts';
import { PgDriver } from '../src/postgres/pg-driver.ts';
import { newId } from './support/records.ts';

/** Longest time that the server takes to end a connection, in ms. */
const cutWithinMs = 10_000;

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await server.stop();
});

storageConformance(
  { describe, it, afterAll },
  {
    name: 'postgres',
    capabilities: { persistent: true, shared: true, migrations: true },
    open: () => postgres({ connectionString: server.connectionString, migrations: 'auto', maxConnections: 4 }),
  },
);

async function opened<T>(storage: Storage, work: (storage: Storage) => Promise<T>): Promise<T> {
  await storage.start();
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function withPool<T>(config: pg.PoolConfig, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = server.openPool(config);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

describe('postgres: connections', () => {
  it("keeps the process alive when an idle connection of a host's pool breaks", async () => {
    const pool = new pg.Pool({ connectionString: server.connectionString });
    const storage = postgres({ pool, migrations: 'auto', notifications: false });
    await storage.start();
    await storage.ping();
    await withClient((client) =>
      client.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()'),
    );
    // The pool removes each connection when it learns of its end; an earlier statement could still get one of them.
    await vi.waitFor(() => expect(pool.totalCount).toBe(0));
    await storage.ping();
    await storage.close();
    expect(pool.listenerCount('error')).toBe(1);
    await pool.end();
  });

  it('survives a connection that breaks between its release and its next use', async () => {
    await withPool({}, async (pool) => {
      await opened(postgres({ pool, notifications: false }), async (storage) => {
        // After the pool has removed its own listener, and before the statement that waits gets the connection.
        const broken = new Error('terminating connection');
        pool.once('acquire', (client) => queueMicrotask(() => client.emit('error', broken)));
        await expect(
          storage.transaction(async (tx) => await tx.organizations.get(newId(), newId())),
        ).resolves.toBeNull();
        await expect(storage.ping()).resolves.toBeUndefined();
      });
    });
  });

  it("uses a host's pool, leaves it open, and keeps its type parsers", async () => {
    await withPool({}, async (pool) => {
      const orgId = newId();
      const agent = sampleAgent({ metadata: { a: 1 } });
      await opened(postgres({ pool }), async (storage) => {
        await storage.agents.insert(orgId, agent);
        expect(await storage.agents.get(orgId, agent.id)).toEqual(agent);
      });
      const { rows } = await pool.query('select created_at, max_duration_seconds as big from va.agents where id = $1', [
        agent.id,
      ]);
      expect(rows).toEqual([{ created_at: new Date(agent.created_at), big: '600' }]);
    });
  });

  it('reads instants in a session of any time zone', async () => {
    for (const zone of ['Asia/Kolkata', 'America/New_York', 'Africa/Monrovia', 'Pacific/Chatham']) {
      await withPool({ options: `-c TimeZone=${zone}` }, async (pool) => {
        await opened(postgres({ pool }), async (storage) => {
          const orgId = newId();
          for (const created_at of [
            '1971-03-04T05:06:07.089Z',
            '2026-07-01T23:59:59.990Z',
            '2026-12-31T23:30:00.000Z',
          ]) {
            const agent = sampleAgent({ created_at });
            await storage.agents.insert(orgId, agent);
            expect(await storage.agents.get(orgId, agent.id)).toEqual(agent);
          }
        });
      });
    }
  });

  it('recovers after the server has cut its idle connections', async () => {
    const storage = postgres({ connectionString: server.connectionString, maxConnections: 2 });
    await opened(storage, async () => {
      await storage.ping();
      await withClient((client) =>
        client.query(
          `select pg_terminate_backend(pid, $1) from pg_stat_activity
            where pid <> pg_backend_pid() and query like 'select 1%'`,
          [cutWithinMs],
        ),
      );
      // A statement that gets the connection before its end has arrived here fails; the pool then opens another one.
      await vi.waitFor(() => storage.ping());
    });
  });

  it('fails only the transaction whose connection is cut', async () => {
    await withPool({ application_name: 'cut' }, async (pool) => {
      await opened(postgres({ pool }), async (storage) => {
        const orgId = newId();
        const agent = sampleAgent();
        const cut = storage.transaction(async (tx) => {
          await tx.agents.insert(orgId, agent);
          await withClient((client) =>
            client.query("select pg_terminate_backend(pid, $1) from pg_stat_activity where application_name = 'cut'", [
              cutWithinMs,
            ]),
          );
          await tx.agents.get(orgId, agent.id);
        });
        await expect(cut).rejects.toThrow();
        expect(await storage.agents.get(orgId, agent.id)).toBeNull();
      });
    });
  });
});

describe('postgres: prepared statements', () => {
  it('prepares repeated statements up to a limit, and runs others unprepared', async () => {
    await withPool({ max: 1 }, async (pool) => {
      await opened(postgres({ pool }), async (storage) => {
        const orgId = newId();
        const agent = sampleAgent();
        await storage.agents.insert(orgId, agent);
        const { id: _, created_at: __, ...fields } = agent;
        const names = Object.keys(fields);
        for (let shape = 1; shape < 700; shape += 1) {
          const changes = Object.fromEntries(
            names.filter((_, n) => (shape >> n) & 1).map((name) => [name, Reflect.get(fields, name)]),
          );
          for (const time of [1, 2, 3]) {
            expect(await storage.agents.update(orgId, agent.id, changes), `${shape} ${time}`).toEqual(agent);
          }
        }
        const { rows } = await pool.query(
          "select count(*)::int as names from pg_prepared_statements where name like 'va_%'",
        );
        expect(rows[0].names).toBeGreaterThan(100);
        expect(rows[0].names).toBeLessThanOrEqual(256);
      });
    });
  });

  it('can be turned off, for a pooler that assigns connections per transaction', async () => {
    await withPool({ max: 1 }, async (pool) => {
      await opened(postgres({ pool, preparedStatements: false }), async (storage) => {
        for (let time = 0; time < 5; time += 1) await storage.agents.get(newId(), newId());
        expect((await pool.query('select * from pg_prepared_statements')).rows).toEqual([]);
      });
    });
  });

  it('are prepared again after a schema change', async () => {
    const schema = 'va_changing';
    const storage = postgres({
      connectionString: server.connectionString,
      schema,
      migrations: 'auto',
      maxConnections: 2,
    });
    await opened(storage, async () => {
      const orgId = newId();
      const agent = sampleAgent();
      await storage.agents.insert(orgId, agent);
      const read = async (): Promise<void> => {
        for (let time = 0; time < 4; time += 1) expect(await storage.agents.get(orgId, agent.id)).toEqual(agent);
      };
      await read();
      await withClient((client) => client.query(`alter table ${schema}.agents alter name type varchar`));
      await read();
      await withClient((client) => client.query(`alter table ${schema}.agents alter name type text`));
      await storage.transaction(async (tx) => expect(await tx.agents.get(orgId, agent.id)).toEqual(agent));
    });
  });
});

describe('postgres: named statements', () => {
  const echo = `select $1::text[] as list, $2::timestamptz as at, $3::jsonb as json, $4::bytea as bytes, $5::int as n,
    $6::bytea as view, $7::bytea[] as chunks`;
  const values = [
    ['plain', 'a "quote", a \\ and a {brace}', '', null],
    new Date('2026-03-04T05:06:07.089Z'),
    { a: ['ü', null] },
    Buffer.from([0, 255]),
    null,
    new Uint8Array([0, 34, 92, 255]).subarray(1),
    [Buffer.from([34, 92]), new Uint8Array([255])],
  ];
  const row = {
    list: null,
    at: '2026-03-04T05:06:07.089Z',
    json: values[2],
    bytes: '\\x00ff',
    n: null,
    view: '\\x225cff',
  };

  async function withDriver(config: pg.PoolConfig, work: (driver: PgDriver, pool: pg.Pool) => Promise<void>) {
    await withPool({ max: 1, ...config }, (pool) => work(new PgDriver(pool, async () => {}), pool));
  }

  it('accept and return the same values as unnamed ones, on the first and later uses', async () => {
    await withDriver({}, async (driver) => {
      const unnamed = await driver.query(echo, values);
      expect(unnamed).toMatchObject({ rows: [{ ...row, list: expect.any(String) }], rowCount: 1 });
      for (let time = 0; time < 3; time += 1) expect(await driver.query(echo, values, 'va_echo')).toEqual(unnamed);
      await driver.transaction(async (session) => {
        expect(await session.query(echo, values, 'va_echo')).toEqual(unnamed);
      });
      const { rows } = await driver.query(`select unnest($1::text[]) as item`, [values[0]], 'va_items');
      expect(rows.map(({ item }) => item)).toEqual(values[0]);
    });
  });

  it('return no rows for a statement without any', async () => {
    await withDriver({}, async (driver) => {
      await driver.query('create temporary table numbers (n int)', []);
      for (let time = 0; time < 3; time += 1) {
        expect(await driver.query('insert into numbers values ($1), (2)', [1], 'va_add')).toEqual({
          rows: [],
          rowCount: 2,
        });
        expect(await driver.query('select n from numbers where n > $1', [2], 'va_none')).toEqual({
          rows: [],
          rowCount: 0,
        });
      }
    });
  });

  it('keep their connection after an error, and are prepared again if their first use failed', async () => {
    await withDriver({}, async (driver, pool) => {
      const { rows: before } = await driver.query('select pg_backend_pid() as pid', []);
      for (let time = 0; time < 2; time += 1) {
        await expect(driver.query('select 1 / $1::int as n', [0], 'va_divide')).rejects.toMatchObject({
          code: '22012',
        });
        await expect(driver.query('select nothing', [], 'va_wrong')).rejects.toMatchObject({ code: '42703' });
      }
      expect(await driver.query('select 1 / $1::int as n', [1], 'va_divide')).toEqual({
        rows: [{ n: 1 }],
        rowCount: 1,
      });
      expect((await driver.query('select pg_backend_pid() as pid', [])).rows).toEqual(before);
      expect(pool.totalCount).toBe(1);
    });
  });

  it('include their caller in the stack of an error', async () => {
    await withDriver({}, async (driver) => {
      const error: Error = await driver.query('select nothing', [], 'va_wrong').catch((thrown) => thrown);
      expect(error.stack).toContain('pg-driver.ts');
    });
  });

  it('remove a broken connection from the pool', async () => {
    await withDriver({}, async (driver, pool) => {
      await driver.query('select pg_backend_pid() as pid', [], 'va_pid');
      const ended = driver.query('select pg_terminate_backend(pg_backend_pid())', [], 'va_end');
      await expect(ended).rejects.toThrow();
      expect(pool.totalCount).toBe(0);
      expect((await driver.query('select 1 as n', [], 'va_pid_after')).rows).toEqual([{ n: 1 }]);
    });
  });

  it('report an unreadable value, and keep their connection', async () => {
    await withDriver({ options: '-c DateStyle=German' }, async (driver) => {
      for (let time = 0; time < 2; time += 1) {
        await expect(driver.query('select now() as at union all select now()', [], 'va_now')).rejects.toMatchObject({
          code: 'unreadable_timestamp',
        });
      }
      expect((await driver.query('select 1 as n', [], 'va_one')).rows).toEqual([{ n: 1 }]);
    });
  });

  it('work on a connection in pipeline mode', async () => {
    await withDriver({ pipeline: true } as pg.PoolConfig, async (driver) => {
      for (let time = 0; time < 2; time += 1) {
        expect((await driver.query('select $1::int as n', [time], 'va_n')).rows).toEqual([{ n: time }]);
      }
    });
  });
});

describe('postgres: conflicts', () => {
  it('repeats the work of a transaction after a deadlock', async () => {
    await opened(postgres({ connectionString: server.connectionString }), async (storage) => {
      const orgId = newId();
      const [one, other] = [sampleAgent(), sampleAgent()];
      await storage.agents.insertMany(orgId, [one, other]);
      let runs = 0;
      let locked = 0;
      let release = (): void => {};
      const bothLocked = new Promise<void>((resolve) => {
        release = resolve;
      });
      const crossing = (first: string, second: string): Promise<void> =>
        storage.transaction(async (tx) => {
          runs += 1;
          await tx.agents.increment(orgId, first, { max_duration_seconds: 1 });
          locked += 1;
          if (locked === 2) release();
          await bothLocked;
          await tx.agents.increment(orgId, second, { max_duration_seconds: 1 });
        });
      await Promise.all([crossing(one.id, other.id), crossing(other.id, one.id)]);
      expect(runs).toBeGreaterThan(2);
      const agents = await storage.agents.list(orgId, { limit: 9 });
      expect(agents.map(({ max_duration_seconds }) => max_duration_seconds)).toEqual([602, 602]);
    });
  });

  it('counts calls exactly that end at once on many connections', async () => {
    const storage = postgres({ connectionString: server.connectionString, maxConnections: 8 });
    await opened(storage, async () => {
      const orgId = newId();
      const agents = Array.from({ length: 5 }, () => newId());
      const calls = Array.from({ length: 400 }, (_, n) =>
        sampleCall({ status: 'in-progress', agent_id: agents[n % 5] ?? null, campaign_id: agents[n % 3] ?? null }),
      );
      await storage.calls.insertMany(orgId, calls);
      const ends = agents.flatMap((agent_id, n) => [
        storage.calls.updateMany(orgId, { where: { agent_id, status: 'in-progress' } }, { status: 'ended' }),
        storage.calls.updateMany(
          orgId,
          { where: { campaign_id: agents[n % 3] ?? null, status: 'in-progress' } },
          { status: 'failed', end_reason: 'worker_lost' },
        ),
        storage.across.calls.claim({
          filter: { where: { agent_id, status: 'in-progress' } },
          changes: { status: 'ended', end_reason: 'user_hangup' },
          limit: 30,
        }),
      ]);
      await Promise.all(ends);
      expect(await storage.calls.count(orgId, { where: { status: 'in-progress' } })).toBe(0);
      const { rows } = await withClient((client) =>
        client.query(
          `select status, end_reason, agent_id, count(*)::int as calls from va.calls
            where org_id = $1 group by 1, 2, 3`,
          [orgId],
        ),
      );
      for (const { status, end_reason, agent_id, calls: expected } of rows) {
        expect(await storage.calls.count(orgId, { where: { status, end_reason, agent_id } })).toBe(expected);
      }
      expect(await storage.calls.count(orgId)).toBe(400);
    });
  });
});
