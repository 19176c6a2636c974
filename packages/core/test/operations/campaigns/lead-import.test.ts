import { describe, expect, it } from 'vitest';
import type { Operations } from '../../../src/operations/operations.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { orgId, refusal, testOperations } from '../support.ts';

async function withCampaign(storage?: Storage): Promise<{ operations: Operations; campaignId: string }> {
  const { operations } = testOperations(storage === undefined ? {} : { storage });
  const agent = await operations.agents.create(orgId, { name: 'Sales' });
  const { id: campaignId } = await operations.campaigns.create(orgId, {
    name: 'Spring',
    agent_id: agent.id,
    schedule_start_time: '09:00',
    schedule_end_time: '17:00',
    timezone: 'UTC',
  });
  return { operations, campaignId };
}

const number = (n: number): string => `+316${10_000_000 + n}`;
const maxRows = 100_000;

async function* csv(rows: Iterable<string>, onRow: () => void = () => {}): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode('phone_number\n');
  for (const row of rows) {
    onRow();
    yield encoder.encode(`${row}\n`);
  }
}

function* numbers(from: number, to: number): Generator<string> {
  for (let n = from; n < to; n += 1) yield number(n);
}

const count = async (operations: Operations, id: string): Promise<number> =>
  (await operations.campaigns.get(orgId, id)).total_leads;

describe('phone numbers in a CSV file', () => {
  it.each([
    ['+31 (0)6 1000 0001'],
    ['0031610000001'],
    [' 00 31 6 1000 0001 '],
    ['+31.6.1000-0001'],
    ['(+31) 6 1000/0001'],
    ['tel:+31610000001'],
  ])('are normalized before the search for duplicates: %s', async (written) => {
    const { operations, campaignId } = await withCampaign();
    const result = await operations.leads.importCsv(orgId, campaignId, csv([number(1), `"${written}"`]));
    expect(result).toMatchObject({ created: 1, skipped: 1, failed: 0 });
  });

  it.each(['0612345678', '6 1000 0001', '+31 12', '0', '+', '++31610000001'])(
    'are refused unless they are international: %s',
    async (written) => {
      const { operations, campaignId } = await withCampaign();
      const result = await operations.leads.importCsv(orgId, campaignId, csv([written]));
      expect(result).toMatchObject({ created: 0, failed: 1, errors: [{ index: 0, code: 'invalid_phone_number' }] });
    },
  );

  it('are checked along with the other columns of a row', async () => {
    const { operations, campaignId } = await withCampaign();
    const file = async function* (): AsyncGenerator<Uint8Array> {
      const rows = [`${number(1)},${'n'.repeat(201)},x`, `${number(2)},  Bo ,x`, `${number(3)},Al,a\0b`];
      yield Buffer.from(`phone_number,name,__proto__\n${rows.join('\n')}`);
    };
    const result = await operations.leads.importCsv(orgId, campaignId, file());
    expect(result.errors.map(({ index, code }) => [index, code])).toEqual([
      [0, 'invalid_field'],
      [2, 'invalid_field'],
    ]);
    const { leads } = await operations.leads.list(orgId, campaignId);
    expect(leads).toMatchObject([{ phone_number: number(2), name: 'Bo' }]);
    expect(Object.entries(leads[0]?.variables ?? {})).toEqual([
      ['name', '  Bo '],
      ['__proto__', 'x'],
    ]);
  });
});

describe('a large CSV file', () => {
  it('is accepted up to the limit that the host sets', async () => {
    const { operations, campaignId } = await withCampaign();
    const rows = [...numbers(0, 24_999), number(3)];
    const result = await operations.leads.importCsv(orgId, campaignId, csv(rows), {}, { maxRows });
    expect(result).toEqual({ created: 24_999, skipped: 1, failed: 0, errors: [] });
    expect(await count(operations, campaignId)).toBe(24_999);
    const importing = operations.leads.importCsv(orgId, campaignId, csv(rows), {}, { maxRows: 24_999 });
    expect((await refusal(importing)).code).toBe('invalid_csv');
  });

  it('is read no faster than it is stored', async () => {
    const { operations: plain, storage } = testOperations();
    let read = 0;
    let stored = 0;
    let ahead = 0;
    const slow: Storage = {
      ...storage,
      transaction: async (work) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return await storage.transaction(work);
      },
    };
    const { operations, campaignId } = await withCampaign(slow);
    const rows = csv(numbers(0, 50_000), () => {
      read += 1;
      ahead = Math.max(ahead, read - stored);
    });
    const stop = operations.campaigns.onChanged(campaignId, () => {
      stored += 10_000;
    });
    await operations.leads.importCsv(orgId, campaignId, rows, {}, { maxRows });
    stop();
    expect(await count(plain, campaignId)).toBe(50_000);
    // Two batches being stored, one being read, and the buffers of the streams in between.
    expect(ahead).toBeLessThan(35_000);
  });

  it('does not block the event loop, even when it arrives in one chunk', async () => {
    const { operations, campaignId } = await withCampaign();
    const file = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`phone_number\n${[...numbers(0, 5_000)].join('\n')}`);
    };
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await operations.leads.importCsv(orgId, campaignId, file());
    isOver = true;
    expect(turns).toBeGreaterThan(40);
  });

  it('keeps the rows stored before a syntax error, and can be imported again', async () => {
    const { operations, campaignId } = await withCampaign();
    const broken = csv([...numbers(0, 12_000), '"never ends']);
    const error = await refusal(operations.leads.importCsv(orgId, campaignId, broken, {}, { maxRows }));
    expect(error.code).toBe('invalid_csv');
    expect(await count(operations, campaignId)).toBe(10_000);
    const again = await operations.leads.importCsv(orgId, campaignId, csv(numbers(0, 12_000)), {}, { maxRows });
    expect(again).toMatchObject({ created: 2_000, skipped: 10_000 });
  });

  it.each([
    ['skip', { created: 10_001, skipped: 2, failed: 0 }],
    ['error', { created: 10_001, skipped: 0, failed: 2 }],
    ['allow', { created: 10_003, skipped: 0, failed: 0 }],
  ] as const)('is validated across batches in a dry run, with on_duplicate "%s"', async (on_duplicate, counts) => {
    const { operations, campaignId } = await withCampaign();
    // The last row is in a later batch than the row it duplicates.
    const rows = (): string[] => [number(0), number(0), ...numbers(1, 10_001), number(5)];
    const query = { dry_run: 'true', on_duplicate } as const;
    const tried = await operations.leads.importCsv(orgId, campaignId, csv(rows()), query, { maxRows });
    expect(tried).toMatchObject(counts);
    expect(await count(operations, campaignId)).toBe(0);
    const done = await operations.leads.importCsv(orgId, campaignId, csv(rows()), { on_duplicate }, { maxRows });
    expect(done).toEqual(tried);
  });

  it('reports the first 10,000 errors and counts all of them', async () => {
    const { operations, campaignId } = await withCampaign();
    const rows = Array.from({ length: 12_000 }, () => 'nobody');
    const result = await operations.leads.importCsv(orgId, campaignId, csv(rows), {}, { maxRows });
    expect([result.failed, result.errors.length]).toEqual([12_000, 10_000]);
    expect(result.errors.at(-1)?.index).toBe(9_999);
  });
});
