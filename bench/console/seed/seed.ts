import { createOperations, type Storage, systemClock, systemRandom } from '@va/core/adapter';
import { postgres } from '@va/storage/postgres';
import { ScriptedWebhooks } from '@va/testkit';
import pg from 'pg';
import { insertCalls, withoutIndexes } from './bulk-insert.ts';
import { CallRecords } from './call-records.ts';
import { createSources } from './organization.ts';

/** Age of the oldest call. */
export const seededDays = 90;
/** Calls of another organization, relative to those of the first one. */
const othersShare = 0.05;

export interface Seeded {
  readonly orgId: string;
  readonly calls: number;
  readonly agentIds: readonly string[];
  readonly numberIds: readonly string[];
  readonly campaignIds: readonly string[];
}

/** Fills a PostgreSQL database with the calls of one organization, and some of another. */
export async function seedDatabase(connectionString: string, calls: number): Promise<Seeded> {
  const storage = postgres({ connectionString, migrations: 'auto' });
  await storage.start();
  const client = new pg.Client({ connectionString });
  await client.connect();
  const seeded = await seedStorage(storage, calls, (insert) =>
    withoutIndexes(client, 'va.calls', () => withoutIndexes(client, 'va.call_statistics', insert)),
  );
  await client.query('vacuum (analyze) va.call_counts');
  await client.end();
  await storage.close();
  return seeded;
}

/**
 * Stores the calls of one organization, and some of another.
 *
 * @param bulk prepares the database for the insert, and runs it
 */
export async function seedStorage(
  storage: Storage,
  calls: number,
  bulk: (insert: () => Promise<void>) => Promise<void> = (insert) => insert(),
): Promise<Seeded> {
  const recordings = {
    create: () => Promise.reject(new Error('Recording is disabled.')),
    open: async () => null,
    delete: async () => false,
  };
  const operations = createOperations({
    ...{ storage, recordings, webhooks: new ScriptedWebhooks(), clock: systemClock, random: systemRandom },
  });
  const { id: orgId } = await operations.organizations.ensureDefault();
  const { id: otherId } = await operations.organizations.create({ name: 'Other' });
  const own = await createSources(operations, orgId, '+31205550');
  const others = await createSources(operations, otherId, '+31105550');
  const period = { days: seededDays, untilMs: Date.now() };
  await bulk(async () => {
    const count = Math.ceil(calls * othersShare);
    await insertCalls(storage, { ...period, count, orgId: otherId, records: new CallRecords(others, 2) });
    await insertCalls(storage, { ...period, count: calls, orgId, records: new CallRecords(own, 1) });
  });
  return {
    ...{ orgId, calls },
    agentIds: distinct(own.map(({ agent }) => agent.id)),
    numberIds: distinct(own.map(({ number }) => number?.id)),
    campaignIds: distinct(own.map(({ campaignId }) => campaignId)),
  };
}

function distinct(ids: readonly (string | null | undefined)[]): string[] {
  return [...new Set(ids.flatMap((id) => (id == null ? [] : [id])))];
}
