import type { CampaignRecord } from '../../domain/campaign.ts';
import type { Parties } from '../dialing/dial-contexts.ts';
import { dialDueLeads } from '../dialing/dial-due-leads.ts';
import type { DialDependencies } from '../dialing/dial-leads.ts';
import { isSlowed, nextTrialMs } from '../dialing/trunk-failures.ts';
import { closesAt, opensAt } from '../hours/calling-hours.ts';
import type { CampaignChanges } from '../status/campaign-changes.ts';
import { completeCampaign, isDone, lastDayIsOver, moveCampaign, skipRest } from '../status/campaign-status.ts';
import type { TurnEnd } from './turn-end.ts';

export interface TurnDependencies extends DialDependencies {
  readonly campaignChanges: CampaignChanges;
}

/** Until its live calls are over, which tell. */
const endedAgainMs = 60_000;

/**
 * Does for a campaign what is to be done now: begins or ends its day, completes or pauses it, or dials up to `most` of its leads.
 * `campaign` is as it was when it became this process's turn.
 */
export async function takeTurn(
  deps: TurnDependencies,
  parties: Parties,
  orgId: string,
  campaign: CampaignRecord,
  most: number,
): Promise<TurnEnd> {
  const nowMs = deps.clock.wallMs();
  const lookAt = (nextAtMs: number | null): TurnEnd => ({ nextAtMs, isReleased: false });
  if (campaign.status === 'cancelled') return lookAt((await skipRest(deps, orgId, campaign)) ? nowMs : null);
  const openingMs = opensAt(campaign, nowMs);
  if (isDone(campaign)) {
    await completeCampaign(deps, orgId, campaign, openingMs === null ? lastDayIsOver : null);
    return lookAt(nowMs);
  }
  if (openingMs === null) {
    return lookAt((await skipRest(deps, orgId, campaign)) ? nowMs : nowMs + endedAgainMs);
  }
  if (openingMs > nowMs) {
    if (campaign.status === 'running') await moveCampaign(deps, orgId, campaign, 'scheduled');
    return lookAt(openingMs);
  }
  const running = campaign.status === 'running' ? campaign : await moveCampaign(deps, orgId, campaign, 'running');
  if (running === null) return lookAt(nowMs);
  const party = await parties.of(orgId, running);
  if (typeof party === 'string') {
    await moveCampaign(deps, orgId, running, 'paused', party);
    return lookAt(nowMs);
  }
  if (isSlowed(running)) {
    if ((running.slowed_until_ms ?? 0) > nowMs) return lookAt(running.slowed_until_ms);
    await deps.storage.campaigns.update(orgId, running.id, { slowed_until_ms: nextTrialMs(running, nowMs) });
  }
  const turn = { most: isSlowed(running) ? 1 : most, nowMs, closesAtMs: closesAt(running, nowMs) };
  const { hasNoMinutes, hasChanged, ...end } = await dialDueLeads(deps, party, running, turn);
  if (hasChanged) deps.campaignChanges.dialed(orgId, campaign.id);
  if (!hasNoMinutes) return end;
  await moveCampaign(deps, orgId, running, 'paused', 'The organization has no minutes left.');
  return lookAt(nowMs);
}
