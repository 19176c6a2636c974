import { timestamp } from '../../clock/timestamp.ts';
import { type CampaignRecord, type CampaignStatus, campaignTransitions } from '../../domain/campaigns/campaign.ts';
import { VaError } from '../../errors.ts';
import { skipPending } from '../../leads/skip-pending.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CampaignPublisher } from './campaign-publisher.ts';

interface CampaignStatusDependencies {
  readonly campaignPublisher: CampaignPublisher;
  readonly clock: Clock;
}

/**
 * Transitions the campaign and notifies listeners. Returns null if a concurrent writer won. Throws VaError
 * `internal_error` for an invalid transition.
 */
export async function transitionCampaign(
  { campaignPublisher, clock }: CampaignStatusDependencies,
  orgId: string,
  before: CampaignRecord,
  status: CampaignStatus,
  reason: string | null = null,
): Promise<CampaignRecord | null> {
  if (!campaignTransitions[before.status].includes(status)) {
    throw new VaError('internal_error', `A campaign in the status ${before.status} cannot become ${status}.`);
  }
  const changes = { status, status_reason: reason, updated_at: timestamp(clock) };
  return await campaignPublisher.store(orgId, [{ ...before, ...changes }], (tx) =>
    tx.campaigns.update(orgId, before.id, changes, { status: before.status }),
  );
}

/** Returns true if no lead is pending or calling. A campaign without any lead waits for its first one. */
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
 * Completes a running or scheduled campaign. Returns null if a lead is pending or calling after all, or a concurrent
 * writer has changed its status.
 */
export async function completeCampaign(
  deps: CampaignStatusDependencies,
  orgId: string,
  before: CampaignRecord,
  reason: string | null = null,
): Promise<CampaignRecord | null> {
  const now = timestamp(deps.clock);
  const changes = { status: 'completed' as const, status_reason: reason, updated_at: now };
  return await deps.campaignPublisher.store(orgId, [{ ...before, ...changes }], async (tx) => {
    const done = { status: { in: ['scheduled', 'running'] as const }, pending_leads: 0, calling_leads: 0 };
    return await tx.campaigns.update(orgId, before.id, changes, done);
  });
}

/**
 * Skips the pending leads of a campaign that is cancelled, or whose end date has passed. The latter is completed when
 * its live calls have ended. Returns whether more leads are pending.
 */
export async function skipRemainingLeads(
  deps: CampaignStatusDependencies,
  orgId: string,
  before: CampaignRecord,
): Promise<boolean> {
  const isCancelled = before.status === 'cancelled';
  const reason = isCancelled ? cancelled : lastDayIsOver;
  const now = timestamp(deps.clock);
  const after = await deps.campaignPublisher.store(orgId, [], async (tx) => {
    const same = isCancelled ? { status: before.status } : { status: { in: ['scheduled', 'running'] as const } };
    const locked = await tx.campaigns.lock(orgId, before.id, same);
    return locked === null ? null : await skipPending(tx, orgId, locked, reason, now);
  });
  if (after === null) return false;
  if (before.pending_leads > 0) deps.campaignPublisher.progressed(orgId, before.id);
  if (after.pending_leads > 0) return true;
  if (!isCancelled && after.calling_leads === 0) await completeCampaign(deps, orgId, after, lastDayIsOver);
  return false;
}
