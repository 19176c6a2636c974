import type { CampaignRecord } from '../../domain/campaigns/campaign.ts';
import type { LeadRecord } from '../../domain/campaigns/lead.ts';
import { countDelta } from '../../leads/lead-counts.ts';
import type { Where } from '../../ports/storage/collection.ts';
import type { Records } from '../../ports/storage/records.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { dialLimits, idleMs } from './dial-limits.ts';

/** Lease of a claimed lead. It is dialed or returned well within this, unless its process has died. */
const leaseMs = 60_000;

const atMs = (ms: number): string => new Date(ms).toISOString();

export interface ClaimedLeads {
  /** Claimed leads: in the status `calling`, with no call placed yet. */
  readonly leads: readonly LeadRecord[];
  /** End of this process's lease on them. */
  readonly until: string;
  /** Time of the campaign's next turn if all of them are dialed. */
  readonly nextAtMs: number;
}

export interface ClaimOptions {
  readonly most: number;
  readonly nowMs: number;
}

/**
 * Claims due leads of a running campaign in a transaction of its own, up to `most` and to the campaign's own limits.
 * The campaign is locked meanwhile, so that its limits hold over all processes.
 */
export async function reserveLeads(
  storage: Storage,
  orgId: string,
  campaignId: string,
  options: ClaimOptions,
): Promise<ClaimedLeads> {
  return await storage.transaction(async (tx) => {
    const campaign = await tx.campaigns.lock(orgId, campaignId, { status: 'running' });
    if (campaign === null) return noLeads(options.nowMs);
    const claimed = await claimLeads(tx, campaign, options);
    const { length } = claimed.leads;
    if (length > 0) await tx.campaigns.increment(orgId, campaignId, countDelta(length, 'pending', 'calling'));
    return claimed;
  });
}

/** Returns an empty claim for a campaign with nothing to dial now. */
export function noLeads(nowMs: number): ClaimedLeads {
  return { leads: [], until: atMs(nowMs + leaseMs), nextAtMs: nowMs + idleMs };
}

/** Claims due leads of a campaign that `tx` has locked. The caller updates the campaign's counts. */
export async function claimLeads(
  tx: Records,
  campaign: CampaignRecord,
  { most, nowMs }: ClaimOptions,
): Promise<ClaimedLeads> {
  const limits = dialLimits(campaign, nowMs);
  const limit = Math.min(most, limits.calls);
  const until = atMs(nowMs + leaseMs);
  const changes = { status: 'calling' as const, call_id: null, next_attempt_at: until, updated_at: atMs(nowMs) };
  const leads: LeadRecord[] = [];
  // Retries come before first attempts: they have waited longer.
  for (const due of [{ lt: atMs(nowMs + 1) }, null]) {
    if (leads.length >= limit) break;
    const where = { campaign_id: campaign.id, status: 'pending' as const, next_attempt_at: due };
    const claim = { filter: { where }, changes, limit: limit - leads.length, orderBy: 'next_attempt_at' as const };
    leads.push(...(await tx.across.leads.claim(claim)).map(({ record }) => record));
  }
  if (leads.length < limit) return { leads, until, nextAtMs: await nextDueMs(tx, campaign, nowMs, leads.length) };
  return { leads, until, nextAtMs: limits.nextAtMs(leads.length) };
}

/** Returns when the first of the leads that wait for a retry is due. */
async function nextDueMs(tx: Records, campaign: CampaignRecord, nowMs: number, claimed: number): Promise<number> {
  if (campaign.pending_leads <= claimed) return nowMs + idleMs;
  const where: Where<LeadRecord> = {
    campaign_id: campaign.id,
    status: 'pending',
    next_attempt_at: { gte: atMs(nowMs + 1) },
  };
  const [first] = await tx.across.leads.find({ where }, 1, 'next_attempt_at');
  const due = first?.record.next_attempt_at ?? null;
  return due === null ? nowMs + idleMs : Date.parse(due);
}

const batchSize = 100;

/**
 * Makes leads pending again whose process died between claiming and dialing them; leads of cancelled campaigns are
 * skipped. Returns the campaigns of these leads.
 */
export async function returnAbandonedLeads(
  storage: Storage,
  nowMs: number,
): Promise<{ orgId: string; campaignId: string }[]> {
  const now = atMs(nowMs);
  const expired: Where<LeadRecord> = { status: 'calling', call_id: null, next_attempt_at: { lt: now } };
  const abandoned = await storage.across.leads.find({ where: expired }, batchSize);
  for (const { orgId, record } of abandoned) {
    await storage.transaction(async (tx) => {
      const campaign = await tx.campaigns.update(orgId, record.campaign_id, { next_pass_at: now });
      if (campaign === null) return;
      const status = campaign.status === 'cancelled' ? ('skipped' as const) : ('pending' as const);
      const changes = { status, next_attempt_at: null, updated_at: now };
      const returned = await tx.leads.update(orgId, record.id, changes, expired);
      if (returned !== null) await tx.campaigns.increment(orgId, campaign.id, countDelta(1, 'calling', status));
    });
  }
  return abandoned.map(({ orgId, record }) => ({ orgId, campaignId: record.campaign_id }));
}
