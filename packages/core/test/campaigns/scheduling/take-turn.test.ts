import { describe, expect, it } from 'vitest';
import { DialContexts } from '../../../src/campaigns/dialing/dial-contexts.ts';
import type { MayCall } from '../../../src/campaigns/dialing/may-call.ts';
import type { CampaignTurnResult } from '../../../src/campaigns/dialing/turn-result.ts';
import { takeTurn } from '../../../src/campaigns/scheduling/take-turn.ts';
import type { CampaignRecord } from '../../../src/domain/campaigns/campaign.ts';
import type { LeadRecord } from '../../../src/domain/campaigns/lead.ts';
import { orgId } from '../../operations/support.ts';
import { recordId, sampleLead, startedAt } from '../../support/sample-records.ts';
import { type CampaignRecords, campaignRecords } from '../support.ts';

const nowMs = Date.parse(startedAt);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

async function turn(
  campaign: Partial<CampaignRecord> = {},
  options: {
    readonly leads?: readonly LeadRecord[];
    readonly most?: number;
    readonly mayCall?: MayCall;
    readonly before?: (records: CampaignRecords) => unknown;
  } = {},
) {
  const records = await campaignRecords(campaign, options.leads);
  await options.before?.(records);
  const deps = { ...records.deps, mayCall: options.mayCall };
  const contexts = new DialContexts(records.storage, undefined);
  const claimed = await records.campaign();
  const result: CampaignTurnResult = await takeTurn(deps, contexts, orgId, claimed, options.most ?? 10);
  return { records, result, after: await records.campaign(), placed: records.placed };
}

const done = [sampleLead(1, { status: 'completed' })];

describe('the turn of a running campaign', () => {
  it('dials its leads, and stores that it looks again at once for more', async () => {
    const { placed, after, result, records } = await turn();
    expect(placed.sort()).toEqual(['+31612340001', '+31612340002']);
    expect(after).toMatchObject({ pending_leads: 0, calling_leads: 2 });
    expect(result).toMatchObject({ nextAtMs: nowMs, isReleased: true });
    expect(after.next_pass_at).toBe(startedAt);
    expect([records.slots, records.announced.length]).toEqual([8, 1]);
  });

  it('dials no more than its share, and looks again at once', async () => {
    const { placed, result, after } = await turn({}, { most: 1 });
    expect([placed.length, after.pending_leads, result.nextAtMs]).toEqual([1, 1, nowMs]);
  });

  it('waits a second when the process has no slot for the rest', async () => {
    const { placed, result, records } = await turn({}, { before: (each) => void Object.assign(each, { slots: 1 }) });
    expect([placed.length, result.nextAtMs, records.slots]).toEqual([1, nowMs + 1_000, 0]);
  });

  it('does not look later than the end of its hours', async () => {
    const { result } = await turn({ schedule_end_time: '09:00:30', max_concurrent_calls: 2 });
    expect(result.nextAtMs).toBe(nowMs + 30_000);
  });

  it('waits for leads when all are being called', async () => {
    const calling = [sampleLead(1, { status: 'calling', call_id: recordId('7') })];
    const { placed, result } = await turn({}, { leads: calling });
    expect([placed, result]).toMatchObject([[], { nextAtMs: nowMs + minuteMs, isReleased: false }]);
  });

  it('leaves the next look to a concurrent change that asks for an earlier one', async () => {
    const { result } = await turn(
      {},
      {
        mayCall: () => true,
        before: ({ storage, deps }) => {
          const place = deps.calls.acquireSlot;
          // Changes the campaign between the claim of the turn and its transaction.
          Object.assign(deps.calls, {
            acquireSlot: async (organization: Parameters<typeof place>[0]) => {
              await storage.campaigns.update(orgId, recordId('3'), { next_pass_at: startedAt });
              return await place(organization);
            },
          });
        },
      },
    );
    expect(result.isReleased).toBe(false);
  });
});

describe('the host', () => {
  it('is asked about each lead before it is dialed', async () => {
    const { placed, records } = await turn({}, { mayCall: ({ phoneNumber }) => phoneNumber.endsWith('2') });
    expect(placed).toEqual(['+31612340002']);
    expect((await records.lead(1)).status).toBe('skipped');
    expect(records.slots).toBe(9);
  });

  it('does not occupy slots by refusing calls', async () => {
    const { placed, records, after } = await turn({}, { mayCall: () => false });
    expect([placed, records.slots, after.skipped_leads]).toEqual([[], 10, 2]);
  });
});

describe('the hours of a campaign', () => {
  it('start it when they begin', async () => {
    const { after, placed } = await turn({ status: 'scheduled' });
    expect([after.status, placed.length]).toEqual(['running', 2]);
  });

  it('let it wait before they begin', async () => {
    const { after, result, placed } = await turn({ status: 'scheduled', schedule_start_time: '10:00:00' });
    expect([after.status, result.nextAtMs, placed]).toEqual(['scheduled', nowMs + hourMs, []]);
  });

  it('stop it until the next day when they end', async () => {
    const { after, result } = await turn({ schedule_start_time: '08:00:00', schedule_end_time: '09:00:00' });
    expect([after.status, result.nextAtMs]).toEqual(['scheduled', nowMs + dayMs - hourMs]);
  });

  it('complete it after its last day, and skip its remaining leads', async () => {
    const { after, records } = await turn({ end_date: '2025-12-31' });
    expect(after).toMatchObject({ status: 'completed', skipped_leads: 2, pending_leads: 0 });
    expect((await records.lead(1)).status_reason).toBe('The end date of the campaign has passed.');
  });

  it('wait after the last day for calls in progress', async () => {
    const leads = [sampleLead(1), sampleLead(2, { status: 'calling', call_id: recordId('7') })];
    const { after, result } = await turn({ end_date: '2025-12-31' }, { leads });
    expect(after).toMatchObject({ status: 'running', skipped_leads: 1, calling_leads: 1 });
    expect(result.nextAtMs).toBe(nowMs + minuteMs);
  });
});

describe('a campaign without leads to call', () => {
  it('is completed', async () => {
    const { after, result } = await turn({}, { leads: done });
    expect(after).toMatchObject({ status: 'completed', status_reason: null });
    expect(result.nextAtMs).toBe(nowMs);
  });

  it('is completed with the end date as the reason if that has passed', async () => {
    const { after } = await turn({ end_date: '2025-12-31' }, { leads: done });
    expect(after.status_reason).toBe('The end date of the campaign has passed.');
  });

  it('waits for its first lead', async () => {
    const { after, result } = await turn({}, { leads: [] });
    expect([after.status, result.nextAtMs]).toEqual(['running', nowMs + minuteMs]);
  });
});

describe('a cancelled campaign', () => {
  it('skips its leads, and is not looked at again', async () => {
    const { after, result, placed } = await turn({ status: 'cancelled' });
    expect([after.skipped_leads, result, placed]).toEqual([2, { nextAtMs: null, isReleased: false }, []]);
  });
});

describe('a campaign that cannot call', () => {
  it.each<[string, (records: CampaignRecords) => Promise<unknown>, string]>([
    [
      'the agent is not active',
      ({ storage }) => storage.agents.update(orgId, recordId('a'), { is_active: false }),
      'The agent is not active.',
    ],
    [
      'no trunk is active',
      ({ storage }) => storage.trunks.update(orgId, recordId('2'), { is_active: false }),
      'The organization has no active number',
    ],
    [
      'no minutes are left',
      ({ storage }) => storage.organizations.update(orgId, orgId, { minutes_balance: 0 }),
      'The organization has no minutes left.',
    ],
    [
      'no credit is left',
      ({ storage }) => storage.organizations.update(orgId, orgId, { credit_balance: 0 }),
      'The organization has no credit left.',
    ],
  ])('is paused when %s', async (_why, before, reason) => {
    const { after, placed, records } = await turn({}, { before });
    expect([after.status, placed, records.slots]).toEqual(['paused', [], 10]);
    expect(after.status_reason).toContain(reason);
    expect(after).toMatchObject({ pending_leads: 2, calling_leads: 0 });
  });
});

describe('a campaign whose trunk fails', () => {
  const slowed = { dial_failures: 5, slowed_until_ms: nowMs + 20_000 };

  it('waits for the end of its back-off', async () => {
    const { placed, result } = await turn(slowed);
    expect([placed, result.nextAtMs]).toEqual([[], nowMs + 20_000]);
  });

  it('then tries one call, and waits again', async () => {
    const { placed, after } = await turn({ ...slowed, slowed_until_ms: nowMs });
    expect([placed.length, after.slowed_until_ms]).toEqual([1, nowMs + 30_000]);
  });
});
