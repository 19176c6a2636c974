import { describe, expect, it } from 'vitest';
import { type DispositionFacts, disposeLeads } from '../../../src/campaigns/dialing/lead-dispositions.ts';
import type { Verdict } from '../../../src/campaigns/dialing/may-call.ts';
import type { CampaignRecord } from '../../../src/domain/campaigns/campaign.ts';
import type { LeadRecord } from '../../../src/domain/campaigns/lead.ts';
import { orgId } from '../../operations/support.ts';
import { recordId, sampleLead, startedAt } from '../../support/sample-records.ts';
import { type CampaignRecords, campaignRecords } from '../support.ts';

const until = '2026-01-01T09:01:00.000Z';
const nowMs = Date.parse(startedAt);

interface Options {
  readonly campaign?: Partial<CampaignRecord>;
  readonly verdicts?: readonly (readonly [number, Verdict])[];
  readonly most?: number;
  readonly agent?: Parameters<typeof campaignRecords>[2];
  /** Runs between the claim of the leads and the decision about them. */
  readonly meanwhile?: (records: CampaignRecords) => Promise<unknown>;
}

const claimedLead = (n: number, changes: Partial<LeadRecord> = {}): LeadRecord =>
  sampleLead(n, { status: 'calling', next_attempt_at: until, ...changes });

/** Decides about claimed leads, and returns what was stored. */
async function dispose(leads: readonly LeadRecord[], options: Options = {}) {
  const records = await campaignRecords(options.campaign, leads, options.agent);
  await options.meanwhile?.(records);
  const facts: DispositionFacts = {
    context: await records.context(),
    campaign: await records.campaign(),
    claimed: { leads, until, nextAtMs: nowMs },
    verdicts: new Map((options.verdicts ?? []).map(([n, verdict]) => [recordId('4', n), verdict])),
    most: options.most ?? 10,
  };
  const disposed = await records.storage.transaction((tx) => disposeLeads(records.deps, tx, facts));
  const calls = await records.storage.calls.list(orgId, { limit: 10 });
  return { ...disposed, calls, records, stored: await Promise.all(leads.map(({ id }) => read(records, id))) };
}

async function read({ storage }: CampaignRecords, id: string): Promise<LeadRecord | null> {
  return await storage.leads.get(orgId, id);
}

describe('a lead that may be called', () => {
  it('is dialed, and its call is stored as queued', async () => {
    const { requests, calls, stored, changes, isFull } = await dispose([claimedLead(1, { attempts: 1, name: 'Jan' })]);
    expect(requests).toMatchObject([{ destination: '+31612340001', call: { lead_id: recordId('4', 1) } }]);
    expect(calls).toMatchObject([
      { status: 'queued', direction: 'outbound', node_id: recordId('e'), campaign_id: recordId('3') },
    ]);
    expect(stored).toMatchObject([
      { status: 'calling', call_id: calls[0]?.id, attempts: 2, last_attempt_at: startedAt, next_attempt_at: null },
    ]);
    expect([changes, isFull]).toEqual([{}, false]);
  });

  it('is returned when the pace of the campaign is used up', async () => {
    const { changes, stored, isFull } = await dispose([claimedLead(1), claimedLead(2)], {
      campaign: { calls_per_minute: 6 },
    });
    expect(stored.map((lead) => lead?.status)).toEqual(['calling', 'pending']);
    expect(isFull).toBe(true);
    expect(changes).toMatchObject({ paced_until_ms: nowMs + 10_000, pending_leads: 1, calling_leads: 1 });
  });

  it('is returned when the organization or the trunk allows no more calls', async () => {
    const { requests, stored, isFull } = await dispose([claimedLead(1), claimedLead(2, { attempts: 1 })], { most: 1 });
    expect([requests.length, isFull]).toEqual([1, true]);
    expect(stored[1]).toMatchObject({ status: 'pending', attempts: 1, next_attempt_at: startedAt, call_id: null });
  });

  it('is returned to the end of the new leads if it was never called', async () => {
    const { stored } = await dispose([claimedLead(1)], { most: 0 });
    expect(stored[0]).toMatchObject({ status: 'pending', next_attempt_at: null });
  });
});

describe('a lead that must not be called', () => {
  it.each<[string, Options, Partial<LeadRecord>]>([
    ['fails after the last attempt', { campaign: { max_attempts: 2 } }, { status: 'failed' }],
    [
      'is skipped if the host forbids it',
      { verdicts: [[1, 'no']] },
      { status: 'skipped', last_end_reason: 'do_not_call', status_reason: 'The host does not allow the call.' },
    ],
    [
      'is skipped if a placeholder has no value',
      { agent: { first_message: 'Hello {{first_name}}.' } },
      { status: 'skipped', last_end_reason: 'missing_variable', status_reason: 'The variable first_name is missing.' },
    ],
    [
      'waits a minute if the host does not answer',
      { verdicts: [[1, 'unknown']] },
      { status: 'pending', next_attempt_at: '2026-01-01T09:01:00.000Z' },
    ],
    ['is returned while the campaign is paused', { campaign: { status: 'paused' } }, { status: 'pending' }],
    ['is skipped once the campaign is cancelled', { campaign: { status: 'cancelled' } }, { status: 'skipped' }],
    ['is returned outside of the hours', { campaign: { schedule_start_time: '10:00:00' } }, { status: 'pending' }],
  ])('%s', async (_what, options, expected) => {
    const { requests, calls, stored } = await dispose([claimedLead(1, { attempts: 2 })], options);
    expect([requests, calls]).toEqual([[], []]);
    expect(stored).toMatchObject([{ attempts: 2, call_id: null, ...expected }]);
  });

  it('is skipped if its number is on the list of the organization', async () => {
    const blocked = { id: recordId('9'), phone_number: '+31612340002', reason: null, created_at: startedAt };
    const { stored, placed, changes } = await dispose([claimedLead(1), claimedLead(2)], {
      meanwhile: ({ storage }) => storage.doNotCall.insert(orgId, blocked),
    }).then(({ records, ...result }) => ({ ...result, placed: records.placed }));
    expect(stored.map((lead) => lead?.status)).toEqual(['calling', 'skipped']);
    expect(stored[1]).toMatchObject({ last_end_reason: 'do_not_call' });
    expect(changes).toEqual({ calling_leads: 1, skipped_leads: 1 });
    expect(placed).toEqual([]);
  });

  it('keeps the reason of its last call when the campaign is cancelled', async () => {
    const lead = claimedLead(1, { attempts: 1, last_end_reason: 'busy' });
    const { stored } = await dispose([lead], { campaign: { status: 'cancelled' } });
    expect(stored[0]).toMatchObject({ status: 'skipped', last_end_reason: 'busy' });
  });

  it('is skipped if its variables, name and number do not fill every placeholder', async () => {
    const agent = { first_message: 'Hello {{name}}, {{city}}, {{phone_number}}.' };
    const complete = claimedLead(1, { name: 'Jan', variables: { city: 'Utrecht' } });
    const blank = claimedLead(2, { name: 'Jan', variables: { city: ' ' } });
    const { stored } = await dispose([complete, blank], { agent });
    expect(stored.map((lead) => lead?.status)).toEqual(['calling', 'skipped']);
  });
});

describe('the instructions of the campaign', () => {
  it('replace those of the agent, and are checked for placeholders', async () => {
    const llm_config = { provider: 'any', messages: [{ role: 'system', content: 'Hello {{own}}.' }], tools: [] };
    const campaign = { system_message_template: 'Offer {{product}}.' };
    const lead = claimedLead(1, { variables: { product: 'tea' } });
    const { requests } = await dispose([lead], { agent: { llm_config }, campaign });
    expect(requests[0]?.agent.llm_config?.messages).toEqual([{ role: 'system', content: 'Offer {{product}}.' }]);
    const missing = await dispose([claimedLead(1)], { agent: { llm_config }, campaign });
    expect(missing.stored[0]?.status_reason).toBe('The variable product is missing.');
  });
});

describe('a lead whose lease is lost', () => {
  it('is left to the process that has it now, and not dialed', async () => {
    const { requests, calls, stored, changes } = await dispose([claimedLead(1), claimedLead(2)], {
      meanwhile: ({ storage }) =>
        storage.leads.update(orgId, recordId('4', 1), { next_attempt_at: '2026-01-01T09:05:00.000Z' }),
    });
    expect(requests.map(({ destination }) => destination)).toEqual(['+31612340002']);
    expect(calls).toHaveLength(1);
    expect(stored[0]).toMatchObject({ status: 'calling', call_id: null, attempts: 0 });
    expect(changes).toEqual({});
  });

  it('is not counted as skipped by this process', async () => {
    const { changes } = await dispose([claimedLead(1)], {
      verdicts: [[1, 'no']],
      meanwhile: ({ storage }) => storage.leads.delete(orgId, recordId('4', 1)),
    });
    expect(changes).toEqual({});
  });
});
