import type { CampaignRecord } from '../domain/campaigns/campaign.ts';
import type { Records } from '../ports/storage/records.ts';
import { countDelta } from './lead-counts.ts';

/** Maximum leads skipped in one transaction, during which the ends of the campaign's calls wait for the lock. */
const batchSize = 2_000;

/**
 * Skips up to 2,000 pending leads of a campaign that the transaction has locked, and returns the changed campaign. The
 * scheduler continues with the rest.
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
  return (
    (await tx.campaigns.increment(orgId, campaign.id, countDelta(skipped.length, 'pending', 'skipped'))) ?? campaign
  );
}

/** Returns the campaign as it will be once its pending leads are skipped. */
export function withoutPending(campaign: CampaignRecord): CampaignRecord {
  const { pending_leads: pending, skipped_leads: skipped } = campaign;
  return { ...campaign, pending_leads: 0, skipped_leads: skipped + pending };
}
