import type { Call } from '../domain/calls/call.ts';
import type { CampaignRecord } from '../domain/campaigns/campaign.ts';
import type { LeadRecord } from '../domain/campaigns/lead.ts';
import type { Changes } from '../ports/storage/collection.ts';

/** Failed dials in a row after which a campaign slows down. */
const slowAfter = 5;
const shortestPauseMs = 30_000;
const longestPauseMs = 600_000;
/** Failed dials of one lead that do not count as attempts. Further ones do, so that a campaign ends. */
const maxUncounted = 10;
const shortestRetryMs = 60_000;
const longestRetryMs = 3_600_000;

const slowed = 'The trunk cannot place calls: one call is tried from time to time until it can.';

/**
 * Returns whether a call never reached the network of the lead: its trunk was unreachable, or refused it with an error.
 */
export function isTrunkFailure({ end_reason: reason }: Pick<Call, 'end_reason'>): boolean {
  return reason === 'dial_failed';
}

/**
 * Returns the changes of a lead after a failed dial that does not use up an attempt; null if it counts as an attempt.
 */
export function leadAfterTrunkFailure(
  { attempts, dial_failures: failures }: Pick<LeadRecord, 'attempts' | 'dial_failures'>,
  nowMs: number,
): (Changes<LeadRecord> & { readonly status: 'pending' }) | null {
  if (failures >= maxUncounted) return null;
  const retryMs = Math.min(longestRetryMs, shortestRetryMs * 2 ** failures);
  return {
    status: 'pending',
    status_reason: 'The trunk could not place the call.',
    attempts: Math.max(0, attempts - 1),
    dial_failures: failures + 1,
    next_attempt_at: new Date(nowMs + retryMs).toISOString(),
  };
}

type Slowing = Pick<CampaignRecord, 'dial_failures' | 'slowed_until_ms' | 'status'>;

/** Returns the changes of a campaign's pace after the end of a call. */
export function campaignAfterDial(campaign: Slowing, call: Call, nowMs: number): Changes<CampaignRecord> {
  const { dial_failures: failures, slowed_until_ms: untilMs, status } = campaign;
  const isShown = status === 'running';
  if (!isTrunkFailure(call)) {
    if (failures === 0) return {};
    const reason = isShown && isSlowed(campaign) ? { status_reason: null } : {};
    return { dial_failures: 0, slowed_until_ms: null, ...reason };
  }
  // Calls dialed before the campaign slowed down carry no new information.
  if (untilMs !== null && Date.parse(call.created_at) < untilMs - pauseMs(failures)) return {};
  const next = failures + 1;
  if (next < slowAfter) return { dial_failures: next };
  const reason = isShown ? { status_reason: slowed } : {};
  return { dial_failures: next, slowed_until_ms: nowMs + pauseMs(next), ...reason };
}

/** Returns whether the campaign dials one call at a time, to see whether its trunk works again. */
export function isSlowed({ dial_failures: failures }: Pick<CampaignRecord, 'dial_failures'>): boolean {
  return failures >= slowAfter;
}

/** Returns when to try the next call after one dialed now. */
export function nextTrialMs({ dial_failures: failures }: Pick<CampaignRecord, 'dial_failures'>, nowMs: number): number {
  return nowMs + pauseMs(failures);
}

function pauseMs(failures: number): number {
  return Math.min(longestPauseMs, shortestPauseMs * 2 ** Math.max(0, failures - slowAfter));
}
