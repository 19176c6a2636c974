import { sampleCall } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../src/domain/calls/call.ts';
import type { CampaignRecord } from '../../src/domain/campaigns/campaign.ts';
import type { LeadRecord } from '../../src/domain/campaigns/lead.ts';
import { recordLeadOutcome } from '../../src/leads/record-lead-outcome.ts';
import { campaignRecords } from '../campaigns/support.ts';
import { orgId } from '../operations/support.ts';
import { recordId, sampleLead, startedAt } from '../support/sample-records.ts';

const callId = recordId('7');
const calling = sampleLead(1, { status: 'calling', call_id: callId, attempts: 1 });

const callOf = (changes: Partial<Call> = {}): Call =>
  sampleCall({
    id: callId,
    direction: 'outbound',
    status: 'ended',
    end_reason: 'user_hangup',
    answered_at: startedAt,
    duration_seconds: 42,
    campaign_id: recordId('3'),
    lead_id: calling.id,
    created_at: startedAt,
    updated_at: startedAt,
    ...changes,
  });

const unanswered: Partial<Call> = { answered_at: null, duration_seconds: null, status: 'failed' };

async function record(call: Call, lead: Partial<LeadRecord> = {}, campaign: Partial<CampaignRecord> = {}) {
  const records = await campaignRecords(campaign, [{ ...calling, ...lead }]);
  await records.storage.transaction((tx) => recordLeadOutcome(tx, orgId, call));
  return { lead: await records.lead(1), campaign: await records.campaign() };
}

describe('recordLeadOutcome', () => {
  it('completes the lead of a conversation, counts it, and makes the campaign due', async () => {
    const { lead, campaign } = await record(callOf());
    expect(lead).toMatchObject({ status: 'completed', last_end_reason: 'user_hangup', updated_at: startedAt });
    expect(campaign).toMatchObject({ calling_leads: 0, completed_leads: 1, next_pass_at: startedAt });
    expect(campaign).toMatchObject({ total_calls: 1, answered_calls: 1, talk_seconds: 42 });
  });

  it('counts a call that was not answered without a duration', async () => {
    const { lead, campaign } = await record(callOf({ ...unanswered, end_reason: 'busy' }));
    expect(lead).toMatchObject({ status: 'pending', next_attempt_at: '2026-01-01T09:10:00.000Z' });
    expect(campaign).toMatchObject({ total_calls: 1, answered_calls: 0, talk_seconds: 0, pending_leads: 1 });
  });

  it('slows the campaign down after failures of the trunk, and not after others', async () => {
    const failed = callOf({ ...unanswered, end_reason: 'dial_failed' });
    expect((await record(failed, {}, { dial_failures: 4 })).campaign).toMatchObject({
      dial_failures: 5,
      slowed_until_ms: Date.parse(startedAt) + 30_000,
    });
    const busy = callOf({ ...unanswered, end_reason: 'busy' });
    expect((await record(busy, {}, { dial_failures: 4 })).campaign).toMatchObject({ dial_failures: 0 });
  });

  it.each<[string, Partial<LeadRecord>]>([
    ['has another call meanwhile', { call_id: recordId('8') }],
    ['was returned meanwhile', { status: 'pending', call_id: null }],
  ])('counts the call and leaves a lead alone that %s', async (_what, changes) => {
    const { lead, campaign } = await record(callOf(), changes);
    expect(lead).toMatchObject(changes);
    expect(campaign).toMatchObject({ total_calls: 1, completed_leads: 0, next_pass_at: null });
  });

  it('does nothing for a call of no campaign', async () => {
    const { campaign } = await record(callOf({ campaign_id: null, lead_id: null }));
    expect(campaign).toMatchObject({ total_calls: 0, calling_leads: 1 });
  });
});
