import { beforeEach, describe, expect, it } from 'vitest';
import type { UsageLog } from '../../../src/domain/calls/usage-log.ts';
import type { CostItem } from '../../../src/domain/costs/cost-item.ts';
import type { UsageQuery } from '../../../src/operations/calls/usage.ts';
import { recordId, sampleUsageLog } from '../../support/sample-records.ts';
import { untyped } from '../../support/untyped.ts';
import { organizationOf, orgId, otherOrgId, refusal, testOperations } from '../support.ts';

let world: ReturnType<typeof testOperations>;
let count = 0;

beforeEach(async () => {
  world = testOperations();
  count = 0;
  for (const id of [orgId, otherOrgId]) await world.storage.organizations.insert(id, organizationOf(id, world.clock));
});

async function used(changes: Partial<UsageLog> = {}, owner = orgId): Promise<void> {
  count += 1;
  const log = sampleUsageLog(recordId('7', count), { id: recordId('6', count), ...changes });
  await world.storage.usageLogs.insert(owner, log);
}

const list = (query?: UsageQuery) => world.operations.usage.list(orgId, query);

function tokens(price: number | null, changes: Partial<CostItem> = {}): CostItem {
  return {
    provider: 'openai',
    model: 'm',
    kind: 'input_tokens',
    quantity: 100,
    unit: 'token',
    price,
    is_estimate: false,
    own_key: false,
    ...changes,
  };
}

describe('the usage of an organization', () => {
  it('is listed newest first, page by page', async () => {
    for (let n = 1; n <= 3; n += 1) await used({ created_at: `2026-01-0${n}T09:00:00.000Z` });
    const { logs, pagination } = await list({ limit: '2', offset: '1' });
    expect(logs.map(({ created_at }) => created_at.slice(0, 10))).toEqual(['2026-01-02', '2026-01-01']);
    expect(pagination).toEqual({ total: 3, limit: 2, offset: 1 });
  });

  it('is summed up over all pages', async () => {
    for (const seconds of [60, 90, 50]) await used({ duration_seconds: seconds, cost: 0.1 });
    const { logs, summary } = await list({ limit: '1' });
    expect(logs).toHaveLength(1);
    expect(summary).toMatchObject({
      total_calls: 3,
      total_duration_seconds: 200,
      total_duration_minutes: 3.33,
      total_cost: 0.3,
    });
  });

  it('adds up items of the same provider, model and kind, and keeps others apart', async () => {
    await used({ cost_breakdown: [tokens(0.1), tokens(null, { kind: 'output_tokens' })] });
    await used({ cost_breakdown: [tokens(0.2), tokens(0.5, { own_key: true }), tokens(0.4, { model: null })] });
    const { breakdown } = (await list()).summary;
    const shown = breakdown.map(({ kind, model, own_key, quantity, price }) => [kind, model, own_key, quantity, price]);
    expect(shown).toHaveLength(4);
    expect(shown).toEqual(
      expect.arrayContaining([
        ['input_tokens', 'm', false, 200, 0.3],
        ['input_tokens', 'm', true, 100, 0.5],
        ['input_tokens', null, false, 100, 0.4],
        ['output_tokens', 'm', false, 100, null],
      ]),
    );
    expect(breakdown[0]).not.toHaveProperty('is_estimate');
  });

  it('can be limited to an agent or a publishable key', async () => {
    await used({ agent_id: recordId('a', 1), publishable_key_id: recordId('5', 1), duration_seconds: 10 });
    await used({ agent_id: recordId('a', 2), duration_seconds: 20 });
    const secondsOf = async (query: UsageQuery): Promise<number> => (await list(query)).summary.total_duration_seconds;
    expect(await secondsOf({ agent_id: recordId('a', 2) })).toBe(20);
    expect(await secondsOf({ publishable_key_id: recordId('5', 1) })).toBe(10);
    expect(await secondsOf({ agent_id: recordId('a', 3) })).toBe(0);
  });

  it('can be limited to a period, which includes its last day', async () => {
    for (const created_at of ['2026-01-01T23:59:59.999Z', '2026-01-02T00:00:00.000Z', '2026-01-02T23:59:59.999Z']) {
      await used({ created_at });
    }
    const callsOf = async (query: UsageQuery): Promise<number> => (await list(query)).summary.total_calls;
    expect(await callsOf({ start_date: '2026-01-02', end_date: '2026-01-02' })).toBe(2);
    expect(await callsOf({ end_date: '2026-01-02T00:00:00Z' })).toBe(1);
    expect(await callsOf({ start_date: '2026-01-03' })).toBe(0);
  });

  it('shows nothing of another organization', async () => {
    await used({ cost: 5, cost_breakdown: [tokens(5)] }, otherOrgId);
    expect(await list()).toEqual({
      logs: [],
      pagination: { total: 0, limit: 100, offset: 0 },
      summary: {
        total_calls: 0,
        total_duration_seconds: 0,
        total_duration_minutes: 0,
        total_cost: 0,
        breakdown: [],
      },
    });
  });

  it.each([{ limit: '0' }, { limit: '1001' }, { agent_id: 'x' }, { start_date: 'yesterday' }, { year: '2026' }])(
    'is refused for the query %j',
    async (query) => {
      expect(await refusal(list(untyped(query)))).toMatchObject({ status: 400 });
    },
  );
});
