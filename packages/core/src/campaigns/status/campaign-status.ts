import { timestamp } from '../../clock/timestamp.ts';
import { type CampaignRecord, type CampaignStatus, campaignTransitions } from '../../domain/campaign.ts';
import { VaError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { skipPending } from '../leads/skip-pending.ts';
import type { CampaignChanges } from './campaign-changes.ts';

interface Dependencies {
  readonly campaignChanges: CampaignChanges;
  readonly clock: Clock;
}

/**
 * Has a campaign pass from its status to another one, and tells of it; null where somebody was faster. Throws VaError
 * `internal_error` for a step that there is not.
 */
export async function moveCampaign(
  { campaignChanges, clock }: Dependencies,
  orgId: string,
  before: CampaignRecord,
  status: CampaignStatus,
  reason: string | null = null,
): Promise<CampaignRecord | null> {
  if (!campaignTransitions[before.status].includes(status)) {
    throw new VaError('internal_error', `A campaign that is ${before.status} cannot become ${status}.`);
  }
  const changes = { status, status_reason: reason, updated_at: timestamp(clock) };
  return await campaignChanges.store(orgId, [{ ...before, ...changes }], (tx) =>
    tx.campaigns.update(orgId, before.id, changes, { status: before.status }),
  );
}

/** Whether nothing is left to be done. A campaign that never had a lead waits for its first one. */
export function isDone({
  total_leads: total,
  pending_leads: pending,
  calling_leads: calling,
}: CampaignRecord): boolean {
  return total > 0 && pending === 0 && calling === 0;
}

export const cancelled = 'The campaign was cancelled.';
export const lastDayIsOver = 'The end date of the campaign has passed.';

/**
 * Completes a campaign that runs, or is on schedule: it then runs for no time. Null where a lead is pending or calling after all, or
 * somebody else has changed it.
 */
export async function completeCampaign(
  deps: Dependencies,
  orgId: string,
  before: CampaignRecord,
  reason: string | null = null,
): Promise<CampaignRecord | null> {
  const now = timestamp(deps.clock);
  const changes = { status: 'completed' as const, status_reason: reason, updated_at: now };
  return await deps.campaignChanges.store(orgId, [{ ...before, ...changes }], async (tx) => {
    await tx.campaigns.update(orgId, before.id, { status: 'running' }, { status: 'scheduled' });
    const done = { status: 'running' as const, pending_leads: 0, calling_leads: 0 };
    return await tx.campaigns.update(orgId, before.id, changes, done);
  });
}

/**
 * Skips leads that nobody is to call any more: of a campaign that is cancelled, or whose last day is over. That one is completed when its
 * live calls are over. Returns whether there are more of them.
 */
export async function skipRest(deps: Dependencies, orgId: string, before: CampaignRecord): Promise<boolean> {
  const isCancelled = before.status === 'cancelled';
  const reason = isCancelled ? cancelled : lastDayIsOver;
  const now = timestamp(deps.clock);
  const after = await deps.campaignChanges.store(orgId, [], async (tx) => {
    const same = isCancelled ? { status: before.status } : { status: { in: ['scheduled', 'running'] as const } };
    const locked = await tx.campaigns.update(orgId, before.id, { updated_at: now }, same);
    return locked === null ? null : await skipPending(tx, orgId, locked, reason, now);
  });
  if (after === null) return false;
  if (before.pending_leads > 0) deps.campaignChanges.progressed(orgId, before.id);
  if (after.pending_leads > 0) return true;
  if (!isCancelled && after.calling_leads === 0) await completeCampaign(deps, orgId, after, lastDayIsOver);
  return false;
}
