import type { PassedLimit } from '../../calls/limits/limits.ts';
import type { CampaignRecord } from '../../domain/campaigns/campaign.ts';
import { type ClaimOptions, noLeads, reserveLeads } from './claim-leads.ts';
import type { DialContext } from './dial-contexts.ts';
import { type DialDependencies, type Dialed, dialLeads, dueLeads, reservedLeads } from './dial-leads.ts';
import { dialLimits } from './dial-limits.ts';
import type { CampaignTurnResult } from './turn-result.ts';

/** Delay of the next turn while the limits are used up: no event announces a free slot. */
const retryWhenFullMs = 1_000;

export interface DialTurn extends ClaimOptions {
  /** End of the campaign's calling hours. */
  readonly closesAtMs: number;
}

export interface DialTurnResult extends CampaignTurnResult {
  /** True if there were leads to call. */
  readonly hasChanged: boolean;
  /** The limit of an organization without minutes or credit, if there were leads to call; else null. */
  readonly usedUp: PassedLimit | null;
}

/**
 * Dials due leads of a campaign, up to `most` and to all limits. When the host has to be asked about each lead, they
 * are reserved first, so that no transaction is open while the host answers.
 */
export async function dialDueLeads(
  deps: DialDependencies,
  context: DialContext,
  campaign: CampaignRecord,
  turn: DialTurn,
): Promise<DialTurnResult> {
  const { most, nowMs, closesAtMs } = turn;
  const orgId = context.organization.id;
  const limits = dialLimits(campaign, nowMs);
  if (campaign.pending_leads === 0) return nothingDialed(turn, noLeads(nowMs).nextAtMs);
  if (limits.calls === 0) return nothingDialed(turn, limits.nextAtMs(0));
  const limit = Math.min(most, limits.calls, campaign.pending_leads);
  let source = dueLeads({ most: limit, nowMs });
  if (deps.mayCall !== undefined) {
    const claimed = await reserveLeads(deps.storage, orgId, campaign.id, { most: limit, nowMs });
    if (claimed.leads.length === 0) return nothingDialed(turn, claimed.nextAtMs);
    source = await reservedLeads(deps, orgId, claimed);
  }
  let result = nothingDialed(turn, nowMs);
  await dialLeads(deps, context, campaign.id, source, (dialed, lookAtMs, locked) => {
    const nextAtMs = Math.min(nextLookMs(nowMs, dialed, lookAtMs), closesAtMs);
    // A concurrent change of next_pass_at requests an earlier turn.
    const isReleased = locked.next_pass_at === campaign.next_pass_at;
    result = { nextAtMs, isReleased, hasChanged: dialed.leads > 0, usedUp: dialed.usedUp };
    return isReleased ? { next_pass_at: new Date(Math.ceil(nextAtMs)).toISOString() } : {};
  });
  return result;
}

function nothingDialed({ closesAtMs }: DialTurn, nextAtMs: number): DialTurnResult {
  return { nextAtMs: Math.min(nextAtMs, closesAtMs), isReleased: false, hasChanged: false, usedUp: null };
}

/** @param lookAtMs time of the next turn if all claimed leads are dialed */
function nextLookMs(nowMs: number, { leads, requests, isFull }: Dialed, lookAtMs: number): number {
  if (isFull) return nowMs + retryWhenFullMs;
  return requests.length < leads ? nowMs : lookAtMs;
}
