import type { CampaignRecord } from '../domain/campaign.ts';
import type { LeadStatus } from '../domain/lead.ts';
import type { Amounts } from '../ports/storage/verbs.ts';

type Counts = Amounts<CampaignRecord>;

/**
 * What changes about a campaign's counts when so many leads go from one status to another; null is none, for leads that come or
 * go. To be added in the transaction that changes the leads, by way of which the counts are always those of the leads.
 */
export function moved(leads: number, from: LeadStatus | null, to: LeadStatus | null): Counts {
  if (from === to) return {};
  return {
    ...(from === null ? { total_leads: leads } : { [`${from}_leads`]: -leads }),
    ...(to === null ? { total_leads: -leads } : { [`${to}_leads`]: leads }),
  };
}
