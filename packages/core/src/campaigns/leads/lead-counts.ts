import type { CampaignRecord } from '../../domain/campaign.ts';
import { type LeadStatus, leadStatuses } from '../../domain/lead.ts';
import type { Amounts, Changes } from '../../ports/storage/collection.ts';

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

/** The counts of a campaign that the transaction has locked, after these changes: what it stores with the rest that it changes. */
export function recounted(campaign: CampaignRecord, changes: readonly Counts[]): Changes<CampaignRecord> {
  const after = { ...campaign };
  for (const change of changes) {
    for (const name of countNames) after[name] += change[name] ?? 0;
  }
  const changed = countNames.filter((name) => after[name] !== campaign[name]);
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

const countNames = ['total_leads', ...leadStatuses.map((status) => `${status}_leads` as const)] as const;
