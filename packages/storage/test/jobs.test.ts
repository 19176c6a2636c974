import type { PGlite } from '@electric-sql/pglite';
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
  /** As if all that is taken had been taken a lease ago. */
  endLeases(): Promise<unknown>;
}

const databases: Record<string, () => Promise<OpenStorage>> = {
  async postgres() {
    server ??= await startPostgres();
    const { connectionString } = server;
    const schema = newSchema();
    const storage = postgres({ connectionString, schema, migrations: 'auto', maxConnections: 4 });
    await storage.start();
    return { storage, endLeases: () => runOn(connectionString, backdating(schema)) };
  },
  async pglite() {
    let database: PGlite | null = null;
    const storage = preparedPglite({
      onOpened: (opened) => {
        database = opened;
      },
    });
    await storage.start();
    return { storage, endLeases: async () => database?.exec(backdating('va')) };
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
        const { storage, endLeases } = await openStorage();
        return {
          storage,
          queue: queueOf(storage),
          endLeases: async () => void (await endLeases()),
          // The queue looks every half a minute.
          leasePatienceMs: 90_000,
          close: () => storage.close(),
        };
      },
    },
  );
}

function backdating(schema: string): string {
  return `update ${schema}_jobs.job set started_on = started_on - interval '${jobLeaseMs} milliseconds'`;
}

async function runOn(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(statement);
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
