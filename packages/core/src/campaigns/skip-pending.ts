import type { CampaignRecord } from '../domain/campaign.ts';
import type { Records } from '../ports/storage/storage.ts';
import { moved } from './lead-counts.ts';

/** Skips what is not dialed yet of a campaign that this transaction has changed, and gives the campaign as it then is. */
export async function skipPending(
  tx: Records,
  orgId: string,
  campaign: CampaignRecord,
  reason: string,
  now: string,
): Promise<CampaignRecord> {
  const pending = { where: { campaign_id: campaign.id, status: 'pending' as const } };
  const changes = { status: 'skipped' as const, status_reason: reason, next_attempt_at: null, updated_at: now };
  const skipped = await tx.leads.updateMany(orgId, pending, changes);
  return (await tx.campaigns.increment(orgId, campaign.id, moved(skipped, 'pending', 'skipped'))) ?? campaign;
}

/** A campaign as it will be when its pending leads are skipped. */
export function withoutPending(campaign: CampaignRecord): CampaignRecord {
  const { pending_leads: pending, skipped_leads: skipped } = campaign;
  return { ...campaign, pending_leads: 0, skipped_leads: skipped + pending };
}
