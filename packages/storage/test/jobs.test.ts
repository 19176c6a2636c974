import { InProcessJobs, type JobQueue, type NewJob, type Storage, systemClock, systemRandom, uuidv7 } from '@va/core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { pglite } from '../src/pglite/index.ts';
import { postgres } from '../src/postgres/index.ts';
import { type PostgresServer, startPostgres } from './support/postgres-server.ts';

const orgId = '00000000-0000-7000-8000-00000000000a';
let server: PostgresServer | null = null;
const open: Storage[] = [];
let schemas = 0;

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

const databases = {
  postgres: () => onPostgres(newSchema()),
  pglite: () => started(pglite()),
};

const queues: Record<string, () => Promise<JobQueue>> = {
  postgres: async () => queueOf(await databases.postgres()),
  pglite: async () => queueOf(await databases.pglite()),
  'in process': async () => new InProcessJobs(systemClock),
};

function queueOf({ jobs }: Storage): JobQueue {
  if (jobs === undefined) throw new Error('A database has a queue.');
  return jobs;
}

function job(data: Record<string, unknown> = {}, afterMs = 0): NewJob {
  return { queue: 'webhooks', id: uuidv7(systemClock, systemRandom), data, afterMs };
}

function ids(jobs: readonly { id: string }[]): string[] {
  return jobs.map(({ id }) => id).sort();
}

describe.each(Object.entries(queues))('jobs: %s', (_name, openQueue) => {
  it('gives each job that has come up to one taker, with what it was sent with', async () => {
    const queue = await openQueue();
    const sent = Array.from({ length: 30 }, (_, n) => job({ n, text: 'é\u2028"\\u0000' }));
    await queue.send(sent);
    const taken = (await Promise.all([1, 2, 3].map(() => queue.take('webhooks', 20)))).flat();
    expect(ids(taken)).toEqual(ids(sent));
    expect(taken.find(({ id }) => id === sent[7]?.id)?.data).toEqual(sent[7]?.data);
  });

  it('counts what is not done, in hand or to come', async () => {
    const queue = await openQueue();
    const sent = [job(), job(), job({}, 60_000)];
    await queue.send(sent);
    const [taken] = await queue.take('webhooks', 1);
    expect(await queue.waiting?.('webhooks')).toBe(3);
    expect(await queue.waiting?.('mails')).toBe(0);
    await queue.settle('webhooks', { done: ids(taken === undefined ? [] : [taken]), again: [] });
    expect(await queue.waiting?.('webhooks')).toBe(2);
  });

  it('keeps what is for later until then', async () => {
    const queue = await openQueue();
    const [later, muchLater] = [job({}, 300), job({}, 60_000)];
    await queue.send([later, muchLater]);
    expect(await queue.take('webhooks', 9)).toEqual([]);
    await expect.poll(async () => ids(await queue.take('webhooks', 9)), { timeout: 5_000 }).toEqual([later.id]);
  });

  it('forgets what is done, and brings again what is to be done again, with what it then is', async () => {
    const queue = await openQueue();
    const [first, second] = [job({ attempt: 0 }), job({ attempt: 0 })];
    await queue.send([first, second]);
    await queue.take('webhooks', 9);
    await queue.settle('webhooks', { done: [first.id], again: [{ ...second, data: { attempt: 1 } }] });
    expect(await queue.stored('webhooks', [first.id, second.id])).toEqual(new Set([second.id]));
    expect(await queue.take('webhooks', 9)).toEqual([{ id: second.id, data: { attempt: 1 } }]);
  });

  it('settles a job that nobody took, and leaves out one that it knows', async () => {
    const queue = await openQueue();
    const sent = job({ n: 1 });
    await queue.send([sent]);
    await queue.send([{ ...sent, data: { n: 2 } }]);
    expect((await queue.take('webhooks', 9)).map(({ data }) => data)).toEqual([{ n: 1 }]);
    const other = job();
    await queue.send([other]);
    await queue.settle('webhooks', { done: [other.id], again: [] });
    expect(await queue.take('webhooks', 9)).toEqual([]);
  });
});

describe.each(Object.entries(databases))('jobs and transactions: %s', (_name, openStorage) => {
  it('stores jobs with the records, or neither', async () => {
    const storage = await openStorage();
    const queue = queueOf(storage);
    const [rolledBack, committed] = [job(), job()];
    const failing = storage.transaction(async (tx) => {
      await queue.send([rolledBack], tx);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await storage.transaction(async (tx) => {
      await queue.send([committed], tx);
      await tx.agents.count(orgId);
    });
    expect(ids(await queue.take('webhooks', 9))).toEqual([committed.id]);
  });

  it('refuses a transaction that is over, and the queue itself inside one', async () => {
    const storage = await openStorage();
    const queue = queueOf(storage);
    const tx = await storage.transaction(async (records) => records);
    await expect(queue.send([job()], tx)).rejects.toMatchObject({ code: 'transaction_over' });
    const nested = storage.transaction(() => queue.send([job()]));
    await expect(nested).rejects.toMatchObject({ code: 'nested_transaction' });
  });
});

describe('the schema of the jobs', () => {
  it('is planned and made with the migrations, and refused while it lacks', async () => {
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

  it('is made once by nodes that start at once', async () => {
    const schema = newSchema();
    const nodes = await Promise.all([1, 2, 3, 4].map(() => onPostgres(schema)));
    await Promise.all(nodes.map((node) => queueOf(node).send([job()])));
    expect(await queueOf(await onPostgres(schema)).take('webhooks', 9)).toHaveLength(4);
  });
});
