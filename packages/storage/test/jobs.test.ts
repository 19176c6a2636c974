import { type JobQueue, jobLeaseMs, type NewJob, type Storage, systemClock, systemRandom, uuidv7 } from '@va/core';
import { jobQueueConformance } from '@va/testkit/jobs';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { postgres } from '../src/postgres/index.ts';
import { type PostgresServer, startPostgres } from './support/postgres-server.ts';
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
  readonly connectionString: string | null;
}

const databases: Record<string, () => Promise<OpenStorage>> = {
  async postgres() {
    server ??= await startPostgres();
    const { connectionString } = server;
    const storage = postgres({ connectionString, schema: newSchema(), migrations: 'auto', maxConnections: 4 });
    await storage.start();
    return { storage, connectionString };
  },
  async pglite() {
    const storage = preparedPglite();
    await storage.start();
    return { storage, connectionString: null };
  },
};

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
        const { storage, connectionString } = await openStorage();
        const queue = queueOf(storage);
        const endLeases = (): Promise<void> => backdate(connectionString);
        // The queue looks every half a minute; where nobody can be asked, the lease is another one.
        return { storage, queue, endLeases, leasePatienceMs: 90_000, close: () => storage.close() };
      },
    },
  );
}

/** As if all that is taken had been taken a lease ago, where the database can be asked to; else they end by themselves. */
async function backdate(connectionString: string | null): Promise<void> {
  if (connectionString === null) return;
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`update s1_jobs.job set started_on = started_on - interval '${jobLeaseMs} milliseconds'`);
  await client.end();
}

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
