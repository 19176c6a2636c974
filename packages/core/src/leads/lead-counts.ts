import type { CampaignRecord } from '../domain/campaigns/campaign.ts';
import { type LeadStatus, leadStatuses } from '../domain/campaigns/lead.ts';
import type { Amounts, Changes } from '../ports/storage/collection.ts';

type Counts = Amounts<CampaignRecord>;

/**
 * Returns the changes of a campaign's counts when leads go from one status to another. Null stands for leads that are
 * added or deleted. Apply them in the transaction that changes the leads, so that counts and leads always agree.
 */
export function countDelta(leads: number, from: LeadStatus | null, to: LeadStatus | null): Counts {
  if (from === to) return {};
  return {
    ...(from === null ? { total_leads: leads } : { [`${from}_leads`]: -leads }),
    ...(to === null ? { total_leads: -leads } : { [`${to}_leads`]: leads }),
  };
}

/** Returns the changed counts of a campaign that the transaction has locked, to be stored with its other changes. */
export function countsAfter(campaign: CampaignRecord, deltas: readonly Counts[]): Changes<CampaignRecord> {
  const after = { ...campaign };
  for (const delta of deltas) {
    for (const name of countNames) after[name] += delta[name] ?? 0;
  }
  const changed = countNames.filter((name) => after[name] !== campaign[name]);
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

const countNames = ['total_leads', ...leadStatuses.map((status) => `${status}_leads` as const)] as const;
