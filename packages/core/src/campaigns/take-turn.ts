import { outboundLine } from '../calls/outbound-line.ts';
import type { CampaignRecord } from '../domain/campaign.ts';
import { RequestError } from '../errors.ts';
import type { Records } from '../ports/storage/storage.ts';
import type { Party } from './campaign-call.ts';
import type { CampaignChanges } from './campaign-changes.ts';
import { completeCampaign, isDone, lastDayIsOver, moveCampaign, skipRest } from './campaign-status.ts';
import { type DialDependencies, dialLeads } from './dial-leads.ts';
import { closesAt, opensAt } from './hours.ts';
import { takeLeads } from './take-leads.ts';

export interface TurnDependencies extends DialDependencies {
  readonly campaignChanges: CampaignChanges;
}

/** Where others use up the limits, nobody tells when there is room again. */
const fullAgainMs = 1_000;
/** Until its live calls are over, which tell. */
const endedAgainMs = 60_000;

/**
 * Does for a campaign what is to be done now: begins or ends its day, completes or pauses it, or dials up to `most` of its leads. Returns
 * when to look at it again; null where there is nothing to do any more.
 */
export async function takeTurn(
  deps: TurnDependencies,
  orgId: string,
  campaign: CampaignRecord,
  most: number,
): Promise<number | null> {
  const { storage, clock } = deps;
  const nowMs = clock.wallMs();
  if (campaign.status === 'cancelled') return (await skipRest(deps, orgId, campaign)) ? nowMs : null;
  const openingMs = opensAt(campaign, nowMs);
  if (isDone(campaign)) {
    await completeCampaign(deps, orgId, campaign, openingMs === null ? lastDayIsOver : null);
    return nowMs;
  }
  if (openingMs === null) {
    return (await skipRest(deps, orgId, campaign)) ? nowMs : nowMs + endedAgainMs;
  }
  if (openingMs > nowMs) {
    if (campaign.status === 'running') await moveCampaign(deps, orgId, campaign, 'scheduled');
    return openingMs;
  }
  const running = campaign.status === 'running' ? campaign : await moveCampaign(deps, orgId, campaign, 'running');
  if (running === null) return nowMs;
  const party = await findParty(storage, orgId, running);
  if (typeof party === 'string') {
    await moveCampaign(deps, orgId, running, 'paused', party);
    return nowMs;
  }
  const taken = await takeLeads(storage, orgId, campaign.id, { most, nowMs });
  let nextAtMs = taken.nextAtMs;
  if (taken.leads.length > 0) {
    const dialed = await dialLeads(deps, party, campaign.id, taken);
    deps.campaignChanges.progressed(orgId, campaign.id);
    if (dialed.hasNoMinutes) {
      await moveCampaign(deps, orgId, running, 'paused', 'The organization has no minutes left.');
      return nowMs;
    }
    if (dialed.isFull) nextAtMs = nowMs + fullAgainMs;
  }
  return Math.min(nextAtMs, closesAt(running, nowMs));
}

/** Who calls and from where, or why nobody can. */
async function findParty(records: Records, orgId: string, campaign: CampaignRecord): Promise<Party | string> {
  const { agent_id: agentId, number_id: numberId } = campaign;
  const [organization, agent] = await Promise.all([
    records.organizations.get(orgId, orgId),
    agentId === null ? null : records.agents.get(orgId, agentId),
  ]);
  if (organization === null) return 'The organization was deleted.';
  if (agent === null) return 'The agent was deleted.';
  if (!agent.is_active) return 'The agent is not active.';
  try {
    return { organization, agent, line: await outboundLine(records, orgId, { numberId, agentId }) };
  } catch (thrown) {
    if (thrown instanceof RequestError) return thrown.message;
    throw thrown;
  }
}
