import type { CampaignRecord } from '../../domain/campaigns/campaign.ts';
import { type Allowance, Pace } from './pace.ts';

/** Delay of the next turn of a campaign with nothing due, when no event announces the next lead. */
export const idleMs = 60_000;

export interface DialLimits {
  /** Leads that the campaign may dial now. */
  readonly calls: number;
  /** Returns when the campaign may dial again after the given number of dials. */
  nextAtMs(dialed: number): number;
}

/** Returns what the campaign's own limits (concurrency and pace) allow. */
export function dialLimits(campaign: CampaignRecord, nowMs: number): DialLimits {
  const free = Math.max(0, campaign.max_concurrent_calls - campaign.calling_leads);
  return {
    calls: Math.min(free, paceOf(campaign, nowMs).calls),
    nextAtMs: (dialed) => (free <= dialed ? nowMs + idleMs : paceOf(campaign, nowMs, dialed).nextAtMs),
  };
}

/** Returns what the pace of a campaign allows after `dialed` further calls at `nowMs`. */
export function paceOf(
  { calls_per_minute: callsPerMinute, paced_until_ms: untilMs }: CampaignRecord,
  nowMs: number,
  dialed = 0,
): Allowance {
  if (callsPerMinute === null) return { calls: Number.POSITIVE_INFINITY, nextAtMs: nowMs };
  const pace = new Pace(callsPerMinute);
  return pace.allowance(dialed === 0 ? untilMs : pace.after(untilMs, nowMs, dialed), nowMs);
}
