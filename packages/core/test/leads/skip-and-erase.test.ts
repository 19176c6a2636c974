import { describe, expect, it } from 'vitest';
import type { LeadRecord } from '../../src/domain/campaigns/lead.ts';
import { eraseLead } from '../../src/leads/erase-lead.ts';
import { skipPending, withoutPending } from '../../src/leads/skip-pending.ts';
import { campaignRecords } from '../campaigns/support.ts';
import { orgId } from '../operations/support.ts';
import { recordId, sampleCampaign, sampleLead, startedAt } from '../support/sample-records.ts';

const now = '2026-01-01T10:00:00.000Z';
const callId = recordId('7');

describe('skipPending', () => {
  it('skips pending leads with the reason, and counts them', async () => {
    const records = await campaignRecords({}, [
      sampleLead(1),
      sampleLead(2, { attempts: 1, next_attempt_at: now }),
      sampleLead(3, { status: 'calling', call_id: callId }),
      sampleLead(4, { status: 'completed' }),
    ]);
    const before = await records.campaign();
    const after = await records.storage.transaction((tx) => skipPending(tx, orgId, before, 'Over.', now));
    expect(after).toMatchObject({ pending_leads: 0, skipped_leads: 2, calling_leads: 1, completed_leads: 1 });
    const skipped = { status: 'skipped', status_reason: 'Over.', next_attempt_at: null, updated_at: now };
    expect([await records.lead(1), await records.lead(2)]).toMatchObject([skipped, skipped]);
    expect((await records.lead(3)).status).toBe('calling');
  });

  it('skips 2,000 at a time', async () => {
    const records = await campaignRecords(
      {},
      Array.from({ length: 2_001 }, (_, n) => sampleLead(n)),
    );
    const before = await records.campaign();
    const after = await records.storage.transaction((tx) => skipPending(tx, orgId, before, 'Over.', now));
    expect(after).toMatchObject({ pending_leads: 1, skipped_leads: 2_000 });
  });

  it('shows a campaign as it will be once all are skipped', () => {
    expect(withoutPending(sampleCampaign({ pending_leads: 5, skipped_leads: 2 }))).toMatchObject({
      pending_leads: 0,
      skipped_leads: 7,
    });
  });
});

describe('eraseLead', () => {
  const called: Partial<LeadRecord> = {
    status: 'completed',
    call_id: callId,
    name: 'Jan',
    variables: { city: 'Utrecht' },
    last_end_reason: 'user_hangup',
    last_attempt_at: startedAt,
    status_reason: 'Reached.',
  };

  async function erase(lead: Partial<LeadRecord>, remains: 'record' | 'nothing') {
    const records = await campaignRecords({}, [sampleLead(1, { ...called, ...lead })]);
    const call = { id: callId, lead_id: recordId('4', 1) };
    await records.storage.transaction((tx) => eraseLead(tx, orgId, call, { remains, now }));
    return await records.lead(1);
  }

  it('erases name and variables, and keeps how the call ended while its record remains', async () => {
    expect(await erase({}, 'record')).toMatchObject({
      name: null,
      variables: {},
      phone_number: '+31612340001',
      call_id: callId,
      last_end_reason: 'user_hangup',
      updated_at: now,
    });
  });

  it('erases how the call ended if nothing of it remains', async () => {
    expect(await erase({}, 'nothing')).toMatchObject({
      name: null,
      call_id: null,
      last_end_reason: null,
      last_attempt_at: null,
      status_reason: null,
    });
  });

  it.each(['completed', 'failed', 'skipped'] as const)('erases the content of a lead that is %s', async (status) => {
    expect((await erase({ status }, 'record')).name).toBeNull();
  });

  it('keeps what the next call of a pending lead needs', async () => {
    expect(await erase({ status: 'pending' }, 'record')).toMatchObject({ name: 'Jan', call_id: callId });
    expect(await erase({ status: 'pending' }, 'nothing')).toMatchObject({
      name: 'Jan',
      variables: { city: 'Utrecht' },
      call_id: null,
      last_end_reason: 'user_hangup',
    });
  });

  it('leaves a lead to a later call', async () => {
    const later = { call_id: recordId('8') };
    expect(await erase(later, 'nothing')).toMatchObject({ ...called, ...later });
  });

  it('does nothing for a call without a lead', async () => {
    const records = await campaignRecords({}, [sampleLead(1, called)]);
    const call = { id: callId, lead_id: null };
    await records.storage.transaction((tx) => eraseLead(tx, orgId, call, { remains: 'nothing', now }));
    expect(await records.lead(1)).toMatchObject(called);
  });
});
