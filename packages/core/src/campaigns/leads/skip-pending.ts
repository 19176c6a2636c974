import type { CampaignRecord } from '../../domain/campaign.ts';
import type { Records } from '../../ports/storage/records.ts';
import { moved } from './lead-counts.ts';

/** Skipped in one transaction: whoever ends a call of the campaign waits for no more than these. */
const batchSize = 2_000;

/**
 * Skips pending leads of a campaign that this transaction has changed, up to 2,000, and gives the campaign as it then is. Where more
 * are left, the scheduler goes on.
 */
export async function skipPending(
  tx: Records,
  orgId: string,
  campaign: CampaignRecord,
  reason: string,
  now: string,
): Promise<CampaignRecord> {
  const skipped = await tx.across.leads.claim({
    filter: { where: { campaign_id: campaign.id, status: 'pending' } },
    changes: { status: 'skipped', status_reason: reason, next_attempt_at: null, updated_at: now },
    limit: batchSize,
    orderBy: 'next_attempt_at',
  });
  return (await tx.campaigns.increment(orgId, campaign.id, moved(skipped.length, 'pending', 'skipped'))) ?? campaign;
}

/** A campaign as it will be when its pending leads are skipped. */
export function withoutPending(campaign: CampaignRecord): CampaignRecord {
  const { pending_leads: pending, skipped_leads: skipped } = campaign;
  return { ...campaign, pending_leads: 0, skipped_leads: skipped + pending };
}
