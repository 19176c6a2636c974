import type { Storage } from '@va/core/adapter';
import type pg from 'pg';
import type { CallRecords } from './call-records.ts';

const batchSize = 1_000;
/** Number of batches that are stored at the same time; meanwhile the next one is generated. */
const atOnce = 3;
const dayMs = 86_400_000;

export interface BulkCalls {
  readonly orgId: string;
  readonly records: CallRecords;
  readonly count: number;
  /** The calls are spread evenly over this many days before `untilMs`. */
  readonly days: number;
  readonly untilMs: number;
}

/** Stores calls and their records of the statistics, oldest first. */
export async function insertCalls(
  storage: Pick<Storage, 'calls' | 'callStatistics'>,
  { orgId, records, count, days, untilMs }: BulkCalls,
): Promise<void> {
  let next = 0;
  const store = async (): Promise<void> => {
    while (next < count) {
      const from = next;
      next += batchSize;
      const batch = Array.from({ length: Math.min(batchSize, count - from) }, (_, at) => {
        const age = 1 - (from + at) / count;
        return records.next(from + at, Math.floor(untilMs - age * days * dayMs));
      });
      const calls = batch.map(({ call }) => call);
      await storage.calls.insertMany(orgId, calls);
      const statistics = batch.map((each) => each.statistics);
      await storage.callStatistics.insertMany(orgId, statistics);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, store));
}

/**
 * Drops the secondary indexes of a table while work runs, and then creates them again: a bulk insert takes a third of
 * the time.
 */
export async function withoutIndexes(client: pg.Client, table: string, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = $1::regclass
       and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await work();
  await client.query("set maintenance_work_mem = '512MB'");
  for (const { definition } of rows) await client.query(definition);
  await client.query(`vacuum (analyze) ${table}`);
}
