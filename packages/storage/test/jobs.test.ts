import type { PGlite } from '@electric-sql/pglite';
import {
  type JobQueue,
  jobLeaseMs,
  jobQueues,
  type NewJob,
  type Storage,
  systemClock,
  systemRandom,
  uuidv7,
} from '@va/core/adapter';
import { type PostgresServer, startPostgres } from '@va/test-servers/postgres';
import { jobQueueConformance } from '@va/testkit/jobs';
import { type ConstructorOptions, fromPglite, PgBoss } from 'pg-boss';
import PgBoss10 from 'pg-boss-10';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { postgres } from '../src/postgres/index.ts';
import { preparedDatabase, preparedPglite } from './support/prepared-pglite.ts';

let server: PostgresServer | null = null;
const open: Storage[] = [];
let schemas = 0;

beforeAll(async () => {
  await preparedDatabase();
});

afterEach(async () => {
  for (const storage of open.splice(0)) await storage.close();
});

afterAll(async () => {
  await server?.stop();
});

async function started(storage: Storage): Promise<Storage> {
  await storage.start();
  open.push(storage);
  return storage;
}

async function onPostgres(schema: string): Promise<Storage> {
  server ??= await startPostgres();
  const { connectionString } = server;
  return await started(postgres({ connectionString, schema, migrations: 'auto', maxConnections: 4 }));
}

function newSchema(): string {
  schemas += 1;
  return `s${schemas}`;
}

interface OpenStorage {
  readonly storage: Storage;
  /** Opens a second pg-boss on the database, with which the test imitates the maintenance of the first one. */
  openBoss(): Promise<PgBoss>;
}

const databases: Record<string, () => Promise<OpenStorage>> = {
  async postgres() {
    server ??= await startPostgres();
    const { connectionString } = server;
    const schema = newSchema();
    const storage = postgres({ connectionString, schema, migrations: 'auto', maxConnections: 4 });
    await storage.start();
    return { storage, openBoss: () => bossOn({ connectionString, max: 1, schema: `${schema}_boss` }) };
  },
  async pglite() {
    let database: PGlite | null = null;
    const storage = preparedPglite({
      onOpened: (opened) => {
        database = opened;
      },
    });
    await storage.start();
    return {
      storage,
      async openBoss() {
        if (database === null) throw new Error('The database is not open.');
        return await bossOn({ db: fromPglite(database), backend: 'pglite', schema: 'va_boss' });
      },
    };
  },
};

async function bossOn(options: ConstructorOptions): Promise<PgBoss> {
  const boss = new PgBoss({ ...options, migrate: false, supervise: false, schedule: false, registerInstance: false });
  return await boss.start();
}

/** Fails all taken jobs, as the maintenance does when their lease has ended. */
async function endLeases({ openBoss }: OpenStorage): Promise<void> {
  const boss = await openBoss();
  for (const queue of jobQueues) {
    const taken = (await boss.findJobs(queue)).filter(({ state }) => state === 'active');
    const ids = taken.map(({ id }) => id);
    if (ids.length > 0) await boss.fail(queue, ids);
  }
  await boss.stop({ graceful: false });
}

function queueOf({ jobs }: Storage): JobQueue {
  if (jobs === undefined) throw new Error('A database has a queue.');
  return jobs;
}

function job(data: Record<string, unknown> = {}, afterMs = 0): NewJob {
  return { queue: 'webhooks', id: uuidv7(systemClock, systemRandom), data, afterMs };
}

for (const [name, openStorage] of Object.entries(databases)) {
  jobQueueConformance(
    { describe, it, afterAll },
    {
      name,
      ofStorage: true,
      async open() {
        const opened = await openStorage();
        const { storage } = opened;
        return {
          storage,
          queue: queueOf(storage),
          endLeases: () => endLeases(opened),
          leasePatienceMs: 5_000,
          countsAtOnce: false,
          close: () => storage.close(),
        };
      },
    },
  );
}

describe.each(Object.keys(databases))('jobs on %s', (name) => {
  async function opened(): Promise<OpenStorage> {
    const openStorage = databases[name];
    if (openStorage === undefined) throw new Error(`No database ${name}.`);
    const database = await openStorage();
    open.push(database.storage);
    return database;
  }

  it('ends the lease of a taken job after jobLeaseMs', async () => {
    const database = await opened();
    const queue = queueOf(database.storage);
    await queue.send([job()]);
    await queue.take('webhooks', 1);
    const boss = await database.openBoss();
    const [taken] = await boss.findJobs('webhooks');
    expect(taken).toMatchObject({ state: 'active', expireInSeconds: jobLeaseMs / 1_000, retryLimit: 1_000_000 });
    await boss.stop({ graceful: false });
  });

  it('counts jobs that are not done', async () => {
    const queue = queueOf((await opened()).storage);
    await queue.send([job(), job(), job({}, 600_000)]);
    await queue.take('webhooks', 1);
    expect(await queue.waiting?.('webhooks')).toBe(3);
    expect(await queue.waiting?.('mails')).toBe(0);
  });

  it('limits how many jobs of one group are active at once', async () => {
    const queue = queueOf((await opened()).storage);
    const ofGroup = (group: string): NewJob => ({ ...job({ group }), group });
    await queue.send([...Array.from({ length: 5 }, () => ofGroup('a')), ofGroup('b'), job({ group: null })]);
    const first = await queue.take('webhooks', 10, 2);
    expect(first.map(({ group }) => group ?? null).sort()).toEqual(['a', 'a', 'b', null]);
    expect(await queue.take('webhooks', 10, 2)).toEqual([]);
    const [done] = first.filter(({ data }) => data.group === 'a');
    await queue.settle('webhooks', { done: [done?.id ?? ''], again: [] });
    expect((await queue.take('webhooks', 10, 2)).map(({ data }) => data.group)).toEqual(['a']);
  });
});

describe('jobs of pg-boss 10', () => {
  /** A database as the earlier version of this package left it. */
  async function oldDatabase(schema: string): Promise<{ connectionString: string; old: PgBoss10 }> {
    server ??= await startPostgres();
    const { connectionString } = server;
    const old = new PgBoss10({ connectionString, schema: `${schema}_jobs`, max: 1, schedule: false });
    await old.start();
    for (const queue of jobQueues) await old.createQueue(queue, { name: queue, retryLimit: 1_000_000 });
    return { connectionString, old };
  }

  it('are moved when the storage starts, with their ids, data and times', async () => {
    const schema = newSchema();
    const { connectionString, old } = await oldDatabase(schema);
    const [due, later, taken, mail] = [job({ n: 1 }), job({ n: 2 }), job({ n: 3 }), job({ n: 4 })];
    await old.send('webhooks', taken.data, { id: taken.id, expireInSeconds: 3_600 });
    await old.fetch('webhooks');
    await old.send('webhooks', due.data, { id: due.id });
    await old.send('webhooks', later.data, { id: later.id, startAfter: 3_600 });
    await old.send('mails', mail.data, { id: mail.id });

    const storage = postgres({ connectionString, schema });
    await expect(storage.start()).rejects.toMatchObject({ code: 'migrations_pending' });
    await storage.migrations.apply();
    await started(storage);
    const queue = queueOf(storage);
    expect(await queue.take('webhooks', 9)).toEqual([{ id: due.id, data: due.data }]);
    expect(await queue.take('mails', 9)).toEqual([{ id: mail.id, data: mail.data }]);
    const ids = [due, later, taken].map(({ id }) => id);
    expect(await queue.stored('webhooks', ids)).toEqual(new Set(ids));
    expect(await old.getQueueSize('webhooks', { before: 'completed' })).toBe(0);
    await old.stop({ graceful: false });
  });

  it('are moved once when several nodes start at once', async () => {
    const schema = newSchema();
    const { connectionString, old } = await oldDatabase(schema);
    const jobs = Array.from({ length: 2_500 }, (_, n) => ({ name: 'webhooks', data: { n } }));
    await old.insert(jobs);
    const nodes = await Promise.all(
      [1, 2, 3].map(() => started(postgres({ connectionString, schema, migrations: 'auto', maxConnections: 4 }))),
    );
    const taken = await Promise.all(nodes.map((node) => queueOf(node).take('webhooks', 2_500)));
    const numbers = taken.flat().map(({ data }) => Number(data.n));
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 2_500 }, (_, n) => n));
    await old.stop({ graceful: false });
  });
});

describe('the schema of the jobs', () => {
  it('is planned and created with the migrations, and required to start', async () => {
    server ??= await startPostgres();
    const { connectionString } = server;
    const storage = postgres({ connectionString, schema: newSchema() });
    expect((await storage.migrations.plan()).at(-1)).toMatchObject({ name: 'job-queue' });
    await expect(storage.start()).rejects.toMatchObject({ code: 'migrations_pending' });
    await storage.migrations.apply();
    expect(await storage.migrations.plan()).toEqual([]);
    await started(storage);
    expect(await queueOf(storage).take('webhooks', 1)).toEqual([]);
  });

  it('is created once by nodes that start at once', async () => {
    const schema = newSchema();
    const nodes = await Promise.all([1, 2, 3, 4].map(() => onPostgres(schema)));
    await Promise.all(nodes.map((node) => queueOf(node).send([job()])));
    expect(await queueOf(await onPostgres(schema)).take('webhooks', 9)).toHaveLength(4);
  });
});
