import { memory } from '@va/storage/memory';
import { sampleCall, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { statisticsOf } from '../../../src/calls/record/call-statistics.ts';
import { storeBridgedTime } from '../../../src/calls/transfer/bridged-time.ts';
import type { Pricing } from '../../../src/costs/pricing.ts';
import type { OrganizationRecord } from '../../../src/domain/accounts/organization.ts';
import { type CallRecord, shownCall } from '../../../src/domain/calls/call.ts';
import type { CostItem } from '../../../src/domain/costs/cost-item.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { organizationOf, orgId } from '../../operations/support.ts';
import { sampleUsageLog, startedAt } from '../../support/sample-records.ts';

const pricing: Pricing = { currency: 'EUR', perMinute: 0.6 };
const tokens: CostItem = {
  provider: 'openai',
  model: 'm',
  kind: 'input_tokens',
  quantity: 1_000,
  unit: 'token',
  price: 0.05,
  is_estimate: false,
  own_key: false,
};
const minutes = (quantity: number, price: number | null): CostItem => ({
  provider: 'telephony',
  model: null,
  kind: 'call_minutes',
  quantity,
  unit: 'minute',
  price,
  is_estimate: false,
  own_key: false,
});

let storage: Storage;

beforeEach(() => {
  storage = memory();
});

/** Stores a call whose conversation took a minute, with an organization that has 10 minutes and a credit of 5. */
async function transferred(cost: Partial<CallRecord>, organization: Partial<OrganizationRecord> = {}) {
  const limits = { minutes_balance: 10, credit_balance: 5, ...organization };
  await storage.organizations.insert(orgId, { ...organizationOf(orgId, new VirtualClock()), ...limits });
  const call = sampleCall({
    status: 'ended',
    end_reason: 'transferred',
    answered_at: startedAt,
    duration_seconds: 60,
    ...cost,
  });
  await storage.calls.insert(orgId, call);
  const { cost: price, cost_breakdown } = call;
  await storage.usageLogs.insert(orgId, sampleUsageLog(call.id, { cost: price, cost_breakdown }));
  const statistics = statisticsOf(call, { tool_calls: 0, failed_tools: 0 });
  if (statistics !== null) await storage.callStatistics.insert(orgId, statistics);
  return call;
}

const priced = { cost: 0.65, cost_breakdown: [tokens, minutes(1, 0.6)] };

async function afterBridge(call: CallRecord, lastedMs: number, given: Pricing | null = pricing) {
  await storeBridgedTime({ storage, pricing: given }, orgId, shownCall(call), lastedMs);
  const [usage] = await storage.usageLogs.list(orgId, { limit: 1 });
  const [record, organization, statistics] = await Promise.all([
    storage.calls.get(orgId, call.id),
    storage.organizations.get(orgId, orgId),
    storage.callStatistics.get(orgId, call.id),
  ]);
  return { usage, record, organization, statistics };
}

describe('storeBridgedTime', () => {
  it('adds the time to the usage, and takes it from the minutes', async () => {
    const { usage, organization, statistics } = await afterBridge(await transferred(priced), 90_000);
    expect(usage).toMatchObject({ duration_seconds: 150, minutes_used: 2.5 });
    expect(organization?.minutes_balance).toBe(8.5);
    expect(statistics?.duration_seconds).toBe(150);
  });

  it('replaces the item of the minutes, keeps the others, and charges the difference', async () => {
    const { usage, record, organization, statistics } = await afterBridge(await transferred(priced), 60_000);
    expect(record).toMatchObject({ cost: 1.25, cost_breakdown: [tokens, minutes(2, 1.2)] });
    expect(usage).toMatchObject({ cost: 1.25, cost_breakdown: [tokens, minutes(2, 1.2)] });
    expect(organization?.credit_balance).toBeCloseTo(4.4);
    expect(statistics?.cost).toBe(1.25);
  });

  it('keeps the record of the conversation otherwise', async () => {
    const { record } = await afterBridge(await transferred(priced), 60_000);
    expect(record).toMatchObject({ duration_seconds: 60, end_reason: 'transferred' });
  });

  it('keeps what an analysis has added since the end', async () => {
    const call = await transferred(priced);
    const analysis = { ...tokens, kind: 'output_tokens' as const, price: 0.1 };
    const added = { cost: 0.75, cost_breakdown: [tokens, minutes(1, 0.6), analysis] };
    await storage.calls.update(orgId, call.id, added);
    const { record, organization } = await afterBridge(call, 60_000);
    expect(record?.cost).toBe(1.35);
    expect(organization?.credit_balance).toBeCloseTo(4.4);
  });

  it('counts minutes without a price', async () => {
    const call = await transferred({ cost: null, cost_breakdown: [minutes(1, null)] });
    const { record, organization } = await afterBridge(call, 60_000, null);
    expect(record).toMatchObject({ cost: null, cost_breakdown: [minutes(2, null)] });
    expect(organization).toMatchObject({ minutes_balance: 9, credit_balance: 5 });
  });

  it('leaves an organization without limits alone', async () => {
    const call = await transferred(priced, { minutes_balance: null, credit_balance: null });
    expect((await afterBridge(call, 60_000)).organization).toMatchObject({
      minutes_balance: null,
      credit_balance: null,
    });
  });

  it('stores nothing for less than half a second, or for a call whose usage was deleted', async () => {
    const call = await transferred(priced);
    expect((await afterBridge(call, 499)).usage?.duration_seconds).toBe(60);
    const [usage] = await storage.usageLogs.list(orgId, { limit: 1 });
    await storage.usageLogs.delete(orgId, usage?.id ?? '');
    expect((await afterBridge(call, 60_000)).organization?.minutes_balance).toBe(10);
  });
});
