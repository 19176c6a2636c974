import type { Call, EndReason } from '../domain/calls/call.ts';
import type { CampaignRecord, retryReasons } from '../domain/campaigns/campaign.ts';
import type { LeadRecord } from '../domain/campaigns/lead.ts';
import type { Changes } from '../ports/storage/collection.ts';
import { isTrunkFailure, leadAfterTrunkFailure } from './trunk-failures.ts';

type RetryReason = (typeof retryReasons)[number];

/** Returns the reason for which a lead may be called again, or null if the call was its last one. */
function retryReason({ end_reason: reason, status, answered_at: answeredAt }: Call): RetryReason | null {
  if (reason === null || final.has(reason)) return null;
  if (reason === 'no_answer' || reason === 'busy' || reason === 'voicemail') return reason;
  return status === 'failed' || answeredAt === null ? 'failed' : null;
}

/** End reasons after which a lead is never called again. */
const final: ReadonlySet<EndReason> = new Set<EndReason>(['declined', 'invalid_destination', 'canceled', 'api_hangup']);

/** Returns true if a person answered, or a voicemail that the campaign does not retry. */
function isReached({ status, answered_at: answeredAt }: Call): boolean {
  return answeredAt !== null && status === 'ended';
}

/** Returns the changes of a lead in the status `calling` whose call has ended. */
export function leadAfterCall(
  campaign: Pick<CampaignRecord, 'status' | 'retry_on' | 'max_attempts' | 'retry_delay_seconds'>,
  lead: Pick<LeadRecord, 'attempts' | 'dial_failures'>,
  call: Call,
): Changes<LeadRecord> & { readonly status: 'completed' | 'failed' | 'pending' } {
  const { updated_at: now } = call;
  const facts = { last_end_reason: call.end_reason, status_reason: null, updated_at: now };
  const isOver = campaign.status === 'cancelled';
  const again = isTrunkFailure(call) && !isOver ? leadAfterTrunkFailure(lead, Date.parse(now)) : null;
  if (again !== null) return { ...facts, ...again };
  const reason = retryReason(call);
  const isWanted = reason !== null && campaign.retry_on.includes(reason);
  if (!isWanted) return { ...facts, status: isReached(call) ? 'completed' : 'failed', next_attempt_at: null };
  if (lead.attempts >= campaign.max_attempts || isOver) {
    return { ...facts, status: 'failed', next_attempt_at: null };
  }
  const againAtMs = Date.parse(now) + campaign.retry_delay_seconds * 1_000;
  return { ...facts, status: 'pending', next_attempt_at: new Date(againAtMs).toISOString() };
}
