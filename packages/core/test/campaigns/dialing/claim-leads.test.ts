import { describe, expect, it } from 'vitest';
import { reserveLeads, returnAbandonedLeads } from '../../../src/campaigns/dialing/claim-leads.ts';
import type { LeadRecord } from '../../../src/domain/campaigns/lead.ts';
import { orgId } from '../../operations/support.ts';
import { recordId, sampleCampaign, sampleLead, startedAt } from '../../support/sample-records.ts';
import { type CampaignRecords, campaignRecords } from '../support.ts';

const nowMs = Date.parse(startedAt);
const at = (seconds: number): string => new Date(nowMs + seconds * 1_000).toISOString();
const campaignId = sampleCampaign().id;
const retry = (n: number, seconds: number): LeadRecord => sampleLead(n, { attempts: 1, next_attempt_at: at(seconds) });

const claim = ({ storage }: CampaignRecords, most = 10) => reserveLeads(storage, orgId, campaignId, { most, nowMs });
const numbersOf = (leads: readonly LeadRecord[]): number[] => leads.map(({ id }) => Number(id.slice(-4)));

describe('reserveLeads', () => {
  it('claims due leads for a minute, and counts them as calling', async () => {
    const records = await campaignRecords();
    const { leads, until } = await claim(records);
    expect([numbersOf(leads), until]).toEqual([[1, 2], at(60)]);
    expect(await records.lead(1)).toMatchObject({ status: 'calling', call_id: null, next_attempt_at: until });
    expect(await records.campaign()).toMatchObject({ pending_leads: 0, calling_leads: 2 });
  });

  it('takes retries before first attempts, the longest wait first', async () => {
    const records = await campaignRecords({}, [sampleLead(1), retry(2, -10), retry(3, -60), retry(4, 30)]);
    expect(numbersOf((await claim(records, 3)).leads)).toEqual([3, 2, 1]);
  });

  it('takes a retry at its time, and not before', async () => {
    const records = await campaignRecords({}, [retry(1, 0), retry(2, 1)]);
    expect(numbersOf((await claim(records)).leads)).toEqual([1]);
  });

  it('stays within the limits of the campaign', async () => {
    const busy = sampleLead(9, { status: 'calling', call_id: recordId('7') });
    const leads = [1, 2, 3, 4].map((n) => sampleLead(n));
    const concurrent = await campaignRecords({ max_concurrent_calls: 3 }, [busy, ...leads]);
    expect((await claim(concurrent)).leads).toHaveLength(2);
    const paced = await campaignRecords({ calls_per_minute: 120 }, leads);
    expect((await claim(paced)).leads).toHaveLength(2);
  });

  it('does not claim a lead twice, or one of another campaign', async () => {
    const records = await campaignRecords();
    const other = sampleCampaign({ id: recordId('3', 2) });
    await records.storage.campaigns.insert(orgId, other);
    await records.storage.leads.insert(orgId, sampleLead(3, { campaign_id: other.id }));
    await claim(records);
    expect((await claim(records)).leads).toEqual([]);
  });

  it('claims nothing for a campaign that does not run', async () => {
    const records = await campaignRecords({ status: 'paused' });
    expect(await claim(records)).toMatchObject({ leads: [], nextAtMs: nowMs + 60_000 });
    expect((await records.lead(1)).status).toBe('pending');
  });

  it('looks again when the next retry is due', async () => {
    const records = await campaignRecords({}, [sampleLead(1), retry(2, 30), retry(3, 20)]);
    expect((await claim(records)).nextAtMs).toBe(nowMs + 20_000);
  });

  it('looks again in a minute when no lead waits', async () => {
    expect((await claim(await campaignRecords())).nextAtMs).toBe(nowMs + 60_000);
  });

  it('looks again when the pace allows it if more leads are due', async () => {
    const records = await campaignRecords({ calls_per_minute: 6 });
    expect((await claim(records)).nextAtMs).toBe(nowMs + 10_000);
  });
});

describe('returnAbandonedLeads', () => {
  const abandoned = sampleLead(1, { status: 'calling', next_attempt_at: at(-1) });

  it('returns leads whose process died before it dialed them, and makes the campaign due', async () => {
    const records = await campaignRecords({}, [abandoned]);
    expect(await returnAbandonedLeads(records.storage, nowMs)).toEqual([{ orgId, campaignId }]);
    expect(await records.lead(1)).toMatchObject({ status: 'pending', next_attempt_at: null });
    expect(await records.campaign()).toMatchObject({ pending_leads: 1, calling_leads: 0, next_pass_at: startedAt });
  });

  it('skips leads of a campaign that was cancelled meanwhile', async () => {
    const records = await campaignRecords({ status: 'cancelled' }, [abandoned]);
    await returnAbandonedLeads(records.storage, nowMs);
    expect((await records.lead(1)).status).toBe('skipped');
    expect(await records.campaign()).toMatchObject({ skipped_leads: 1, calling_leads: 0 });
  });

  it.each<[string, Partial<LeadRecord>]>([
    ['is leased', { next_attempt_at: at(0) }],
    ['has a call', { call_id: recordId('7') }],
    ['is pending', { status: 'pending' }],
  ])('leaves a lead alone that %s', async (_what, changes) => {
    const records = await campaignRecords({}, [{ ...abandoned, ...changes }]);
    expect(await returnAbandonedLeads(records.storage, nowMs)).toEqual([]);
    expect(await records.lead(1)).toMatchObject(changes);
  });
});
