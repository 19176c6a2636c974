import type { CampaignRecord } from '../../domain/campaign.ts';
import { moved, recounted } from '../leads/lead-counts.ts';
import type { TurnEnd } from '../scheduling/turn-end.ts';
import type { Party } from './campaign-call.ts';
import { claimLeads, dialLimits, noLeads, takeLeads } from './claim-leads.ts';
import { type DialDependencies, type Dialed, dialLeads, withRooms } from './dial-leads.ts';
import { callsLeftFor, settleTaken } from './lead-disposition.ts';

/** Where others use up the limits, nobody tells when there is room again. */
const fullAgainMs = 1_000;

export interface DialTurn {
  readonly most: number;
  readonly nowMs: number;
  /** The end of the campaign's hours. */
  readonly closesAtMs: number;
}

export interface DialTurnEnd extends TurnEnd {
  /** Whether there were leads to call. */
  readonly hasChanged: boolean;
  /** There were, and the organization has no minutes left. */
  readonly hasNoMinutes: boolean;
}

/**
 * Dials leads of a campaign that are due, up to `most` and to all limits there are. Where the host is to be asked about each, they
 * are taken before that and dialed after it; else it is one transaction.
 */
export async function dialDueLeads(
  deps: DialDependencies,
  party: Party,
  campaign: CampaignRecord,
  turn: DialTurn,
): Promise<DialTurnEnd> {
  return deps.mayCall === undefined
    ? await dialAtOnce(deps, party, campaign, turn)
    : await dialAllowed(deps, party, campaign, turn);
}

async function dialAllowed(
  deps: DialDependencies,
  party: Party,
  campaign: CampaignRecord,
  turn: DialTurn,
): Promise<DialTurnEnd> {
  const taken = await takeLeads(deps.storage, party.organization.id, campaign.id, turn);
  if (taken.leads.length === 0) return nothingDialed(turn, taken.nextAtMs);
  const dialed = await dialLeads(deps, party, campaign.id, taken);
  return {
    nextAtMs: nextLookMs(turn, taken.leads.length, dialed, taken.nextAtMs),
    isReleased: false,
    hasChanged: true,
    hasNoMinutes: dialed.hasNoMinutes,
  };
}

async function dialAtOnce(
  deps: DialDependencies,
  party: Party,
  campaign: CampaignRecord,
  turn: DialTurn,
): Promise<DialTurnEnd> {
  const { most, nowMs } = turn;
  const orgId = party.organization.id;
  const limits = dialLimits(campaign, nowMs);
  if (campaign.pending_leads === 0) return nothingDialed(turn, noLeads(nowMs).nextAtMs);
  if (limits.calls === 0) return nothingDialed(turn, limits.nextAtMs(0));
  const wanted = Math.min(most, limits.calls, campaign.pending_leads);
  return await withRooms(deps, party, wanted, async (rooms) => {
    if (rooms === 0) return { ...nothingDialed(turn, nowMs + fullAgainMs), requests: [], isFull: true };
    return await deps.storage.transaction(async (tx) => {
      const left = await callsLeftFor(tx, party);
      const locked = await tx.campaigns.increment(orgId, campaign.id, { calling_leads: 0 }, { status: 'running' });
      if (locked === null) return { ...nothingDialed(turn, nowMs), requests: [], isFull: false };
      const taken = await claimLeads(tx, locked, { most: rooms, nowMs });
      const { length } = taken.leads;
      const taking = recounted(locked, [moved(length, 'pending', 'calling')]);
      const settled = await settleTaken(deps, tx, {
        ...{ party, taken, verdicts: new Map(), most: left.calls },
        campaign: { ...locked, ...taking },
      });
      const isFull = settled.isFull || (rooms < wanted && length === rooms);
      const nextAtMs = nextLookMs(turn, length, { ...settled, isFull }, taken.nextAtMs);
      // Whoever has something to be looked at sooner has said so there.
      const isReleased = locked.next_pass_at === campaign.next_pass_at;
      const waits = isReleased ? { next_pass_at: new Date(Math.ceil(nextAtMs)).toISOString() } : {};
      const changes = { ...taking, ...settled.changes, ...waits };
      if (Object.keys(changes).length > 0) await tx.campaigns.update(orgId, campaign.id, changes);
      const hasChanged = length > 0;
      const hasNoMinutes = hasChanged && left.hasNoMinutes;
      return { requests: settled.requests, isFull, nextAtMs, isReleased, hasChanged, hasNoMinutes };
    });
  });
}

function nothingDialed({ closesAtMs }: DialTurn, nextAtMs: number): DialTurnEnd {
  return { nextAtMs: Math.min(nextAtMs, closesAtMs), isReleased: false, hasChanged: false, hasNoMinutes: false };
}

/** `nextAtMs` is for where all that were taken are dialed. */
function nextLookMs(
  { nowMs, closesAtMs }: DialTurn,
  taken: number,
  { requests, isFull }: Pick<Dialed, 'requests' | 'isFull'>,
  nextAtMs: number,
): number {
  if (isFull) return Math.min(nowMs + fullAgainMs, closesAtMs);
  return Math.min(requests.length < taken ? nowMs : nextAtMs, closesAtMs);
}
