import type { CampaignRecord } from '../../domain/campaigns/campaign.ts';
import { isSlowed, nextTrialMs } from '../../leads/trunk-failures.ts';
import type { DialContexts } from '../dialing/dial-contexts.ts';
import { dialDueLeads } from '../dialing/dial-due-leads.ts';
import type { DialDependencies } from '../dialing/dial-leads.ts';
import type { CampaignTurnResult } from '../dialing/turn-result.ts';
import { closesAt, opensAt } from '../hours/calling-hours.ts';
import type { CampaignPublisher } from '../status/campaign-publisher.ts';
import {
  completeCampaign,
  isDone,
  lastDayIsOver,
  skipRemainingLeads,
  transitionCampaign,
} from '../status/campaign-status.ts';

export interface TurnDependencies extends DialDependencies {
  readonly campaignPublisher: CampaignPublisher;
}

/** Delay of the next turn of a campaign past its end date; the ends of its live calls cause earlier ones. */
const endedAgainMs = 60_000;

/**
 * Takes a campaign's turn: begins or ends its day, completes or pauses it, or dials up to `most` of its leads.
 *
 * @param campaign the record as this process claimed it
 */
export async function takeTurn(
  deps: TurnDependencies,
  contexts: DialContexts,
  orgId: string,
  campaign: CampaignRecord,
  most: number,
): Promise<CampaignTurnResult> {
  const nowMs = deps.clock.wallMs();
  const lookAt = (nextAtMs: number | null): CampaignTurnResult => ({ nextAtMs, isReleased: false });
  if (campaign.status === 'cancelled') return lookAt((await skipRemainingLeads(deps, orgId, campaign)) ? nowMs : null);
  const openingMs = opensAt(campaign, nowMs);
  if (isDone(campaign)) {
    await completeCampaign(deps, orgId, campaign, openingMs === null ? lastDayIsOver : null);
    return lookAt(nowMs);
  }
  if (openingMs === null) {
    return lookAt((await skipRemainingLeads(deps, orgId, campaign)) ? nowMs : nowMs + endedAgainMs);
  }
  if (openingMs > nowMs) {
    if (campaign.status === 'running') await transitionCampaign(deps, orgId, campaign, 'scheduled');
    return lookAt(openingMs);
  }
  const running = campaign.status === 'running' ? campaign : await transitionCampaign(deps, orgId, campaign, 'running');
  if (running === null) return lookAt(nowMs);
  const context = await contexts.of(orgId, running);
  if (typeof context === 'string') {
    await transitionCampaign(deps, orgId, running, 'paused', context);
    return lookAt(nowMs);
  }
  if (isSlowed(running)) {
    if ((running.slowed_until_ms ?? 0) > nowMs) return lookAt(running.slowed_until_ms);
    await deps.storage.campaigns.update(orgId, running.id, { slowed_until_ms: nextTrialMs(running, nowMs) });
  }
  const turn = { most: isSlowed(running) ? 1 : most, nowMs, closesAtMs: closesAt(running, nowMs) };
  const { usedUp, hasChanged, ...end } = await dialDueLeads(deps, context, running, turn);
  if (hasChanged) deps.campaignPublisher.dialed(orgId, campaign.id);
  if (usedUp === null) return end;
  await transitionCampaign(deps, orgId, running, 'paused', usedUp.message);
  return lookAt(nowMs);
}
