import type { Call } from '../../domain/call.ts';
import type { Records } from '../../ports/storage/records.ts';
import { campaignAfterDial } from '../dialing/trunk-failures.ts';
import { moved } from './lead-counts.ts';
import { leadAfterCall } from './lead-outcome.ts';

/**
 * Does to the lead of a call what the call's end means for it, and wakes its campaign. Within the transaction that stores
 * the end: a lead that is `calling` has a call that goes on, or none yet, whatever process dies.
 */
export async function settleLead(tx: Records, orgId: string, call: Call): Promise<void> {
  const { campaign_id: campaignId, lead_id: leadId } = call;
  if (campaignId === null || leadId === null) return;
  const answered = call.answered_at === null ? 0 : 1;
  // Adding to the campaign locks it: from here on nobody else starts, ends or dials it.
  const campaign = await tx.campaigns.increment(orgId, campaignId, {
    total_calls: 1,
    answered_calls: answered,
    talk_seconds: answered * (call.duration_seconds ?? 0),
  });
  const lead = await tx.leads.get(orgId, leadId);
  if (campaign === null || lead === null || lead.status !== 'calling' || lead.call_id !== call.id) return;
  const after = leadAfterCall(campaign, lead, call);
  await tx.leads.update(orgId, leadId, after);
  await tx.campaigns.increment(orgId, campaignId, moved(1, 'calling', after.status));
  const slowing = campaignAfterDial(campaign, call, Date.parse(call.updated_at));
  await tx.campaigns.update(orgId, campaignId, { next_pass_at: call.updated_at, ...slowing });
}
