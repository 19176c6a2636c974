import type { Call } from '../domain/calls/call.ts';
import type { Records } from '../ports/storage/records.ts';
import { countDelta } from './lead-counts.ts';
import { leadAfterCall } from './lead-outcome.ts';
import { campaignAfterDial } from './trunk-failures.ts';

/**
 * Updates the lead and the campaign of a call that has ended, and makes the campaign due. Runs in the transaction that
 * stores the end, so that a lead in the status `calling` always has a live call or none yet, whichever process dies.
 */
export async function recordLeadOutcome(tx: Records, orgId: string, call: Call): Promise<void> {
  const { campaign_id: campaignId, lead_id: leadId } = call;
  if (campaignId === null || leadId === null) return;
  const answered = call.answered_at === null ? 0 : 1;
  // The increment locks the campaign: no other transaction starts, ends or dials it until this one commits.
  const campaign = await tx.campaigns.increment(orgId, campaignId, {
    total_calls: 1,
    answered_calls: answered,
    talk_seconds: answered * (call.duration_seconds ?? 0),
  });
  const lead = await tx.leads.get(orgId, leadId);
  if (campaign === null || lead === null || lead.status !== 'calling' || lead.call_id !== call.id) return;
  const after = leadAfterCall(campaign, lead, call);
  await tx.leads.update(orgId, leadId, after);
  await tx.campaigns.increment(orgId, campaignId, countDelta(1, 'calling', after.status));
  const slowing = campaignAfterDial(campaign, call, Date.parse(call.updated_at));
  await tx.campaigns.update(orgId, campaignId, { next_pass_at: call.updated_at, ...slowing });
}
