import { memory } from '@va/storage/memory';
import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { uuidv7Sequence } from '../../../src/ids.ts';
import { LeadBatch } from '../../../src/operations/campaigns/lead-batch.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { orgId, testOperations } from '../support.ts';

const number = (n: number): string => `+3161234567${n}`;
const keys = (...numbers: readonly number[]): Set<number> => new Set(numbers.map((n) => Number(number(n))));

let storage: Storage;
let campaignId: string;
let newBatch: (options: ConstructorParameters<typeof LeadBatch>[2]) => LeadBatch;

beforeEach(async () => {
  storage = memory();
  const { operations } = testOperations({ storage });
  const agent = await operations.agents.create(orgId, { name: 'Sales' });
  const hours = { schedule_start_time: '09:00', schedule_end_time: '17:00', timezone: 'UTC' };
  ({ id: campaignId } = await operations.campaigns.create(orgId, { name: 'Spring', agent_id: agent.id, ...hours }));
  const clock = new VirtualClock();
  const nextId = uuidv7Sequence(clock, (count) => new Uint8Array(count));
  newBatch = (options) => new LeadBatch(campaignId, { clock, nextId }, options);
});

/** Adds these numbers, the first one from row `first` of the input, and stores the batch. */
async function insert(batch: LeadBatch, numbers: readonly number[], first = 0): Promise<number> {
  for (const [at, n] of numbers.entries()) batch.add(first + at, { phone_number: number(n) });
  return await storage.transaction((tx) => batch.insert(orgId, tx));
}

async function stored(): Promise<string[]> {
  const leads = await storage.leads.list(orgId, { where: { campaign_id: campaignId }, order: 'oldest', limit: 100 });
  return leads.map(({ phone_number, unique_number }) => (unique_number === null ? '*' : '') + phone_number.slice(-1));
}

describe('LeadBatch', () => {
  it('skips numbers that the campaign or the batch has already', async () => {
    await insert(newBatch({ onDuplicate: 'skip' }), [1]);
    const batch = newBatch({ onDuplicate: 'skip' });
    expect(await insert(batch, [1, 2, 2, 3])).toBe(2);
    expect(batch.result()).toEqual({ created: 2, skipped: 2, failed: 0, errors: [] });
    expect(await stored()).toEqual(['1', '2', '3']);
  });

  it('reports such numbers at their place in the input', async () => {
    await insert(newBatch({ onDuplicate: 'error' }), [1]);
    const batch = newBatch({ onDuplicate: 'error' });
    batch.fail(9, null, 'invalid_csv', 'a fault of the row');
    expect(await insert(batch, [2, 1, 2], 5)).toBe(1);
    expect(batch.result()).toMatchObject({ created: 1, skipped: 0, failed: 3 });
    expect(batch.result().errors.map(({ index, code }) => [index, code])).toEqual([
      [6, 'duplicate_lead'],
      [7, 'duplicate_lead'],
      [9, 'invalid_csv'],
    ]);
  });

  it('stores such numbers as duplicates if they are allowed', async () => {
    await insert(newBatch({ onDuplicate: 'allow' }), [1]);
    const batch = newBatch({ onDuplicate: 'allow' });
    expect(await insert(batch, [1, 2])).toBe(2);
    expect(batch.result()).toEqual({ created: 2, skipped: 0, failed: 0, errors: [] });
    expect((await stored()).sort()).toEqual(['*1', '1', '2']);
  });

  it.each([
    ['skip', ['3'], { created: 1, skipped: 1, failed: 0 }],
    ['error', ['3'], { created: 1, skipped: 0, failed: 1 }],
    ['allow', ['*2', '3'], { created: 2, skipped: 0, failed: 0 }],
  ] as const)(
    'knows the numbers of the previous batch that is being stored: %s',
    async (onDuplicate, leads, result) => {
      const batch = newBatch({ onDuplicate, before: keys(2) });
      await insert(batch, [2, 3]);
      expect(await stored()).toEqual(leads);
      expect(batch.result()).toMatchObject(result);
    },
  );

  it('collects the numbers of a dry run over all batches', () => {
    const known = keys(1);
    const [first, second] = [newBatch({ onDuplicate: 'skip', known }), newBatch({ onDuplicate: 'skip', known })];
    for (const batch of [first, second]) for (const n of [1, 2]) batch.add(n, { phone_number: number(n) });
    expect([first.result().skipped, second.result().skipped]).toEqual([1, 2]);
    expect([...first.numbers]).toEqual([...keys(2)]);
  });

  it('counts the last attempt of a transaction that is retried', async () => {
    const batch = newBatch({ onDuplicate: 'error' });
    const failing = storage.transaction(async (tx) => {
      batch.add(0, { phone_number: number(1) });
      await batch.insert(orgId, tx);
      throw new Error('conflict');
    });
    await expect(failing).rejects.toThrow('conflict');
    await insert(newBatch({ onDuplicate: 'skip' }), [1]);
    await storage.transaction((tx) => batch.insert(orgId, tx));
    expect(batch.result()).toMatchObject({ created: 0, failed: 1 });
    expect(batch.created).toEqual([]);
  });

  it.each([
    ['a fault of the row', { index: 3, fault: 'too few columns' }, [3, null, 'invalid_csv']],
    [
      'a lead that the schema refuses',
      { index: 4, lead: { phone_number: '0612345678', variables: {} } },
      [4, '0612345678', 'invalid_phone_number'],
    ],
  ])('reports %s', (_case, row, expected) => {
    const batch = newBatch({ onDuplicate: 'skip' });
    batch.takeRow(row);
    expect(batch.result().errors.map((error) => [error.index, error.phone_number, error.code])).toEqual([expected]);
  });

  it('quotes at most 100 characters of a number', () => {
    const batch = newBatch({ onDuplicate: 'skip' });
    batch.parse(0, { phone_number: 'x'.repeat(1_000) });
    expect(batch.result().errors[0]?.phone_number).toHaveLength(100);
  });
});
