import type { CampaignRecord } from '../../domain/campaign.ts';
import type { LeadRecord } from '../../domain/lead.ts';
import type { Where } from '../../ports/storage/collection.ts';
import type { Records } from '../../ports/storage/records.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { moved } from '../leads/lead-counts.ts';
import { type Allowance, Pace } from './pace.ts';

/** A lead that is taken is dialed, or given back, well within this. If not, its process has died. */
const takenForMs = 60_000;

/** Where nothing is due, and no event will tell: a look now and then costs nothing. */
const idleMs = 60_000;

const atMs = (ms: number): string => new Date(ms).toISOString();

export interface TakenLeads {
  /** `calling`, without a call. */
  readonly leads: readonly LeadRecord[];
  /** Until when they are this process's. */
  readonly until: string;
  /** When the campaign is to be looked at again, if all of them are dialed. */
  readonly nextAtMs: number;
}

interface Taking {
  readonly most: number;
  readonly nowMs: number;
}

/**
 * Takes leads of a running campaign that are due, up to `most` and to what the campaign's own limits let. The campaign is locked meanwhile,
 * so that its limits hold over all processes, and each lead is taken by one of them.
 */
export async function takeLeads(
  storage: Storage,
  orgId: string,
  campaignId: string,
  taking: Taking,
): Promise<TakenLeads> {
  return await storage.transaction(async (tx) => {
    const campaign = await tx.campaigns.increment(orgId, campaignId, { calling_leads: 0 }, { status: 'running' });
    if (campaign === null) return noLeads(taking.nowMs);
    const taken = await claimLeads(tx, campaign, taking);
    const { length } = taken.leads;
    if (length > 0) await tx.campaigns.increment(orgId, campaignId, moved(length, 'pending', 'calling'));
    return taken;
  });
}

/** Where there is nothing to take, now or for a while. */
export function noLeads(nowMs: number, nextAtMs: number = nowMs + idleMs): TakenLeads {
  return { leads: [], until: atMs(nowMs + takenForMs), nextAtMs };
}

/**
 * The same for a campaign that `tx` has locked. Its counts stay as they are: whoever calls this changes them.
 */
export async function claimLeads(tx: Records, campaign: CampaignRecord, { most, nowMs }: Taking): Promise<TakenLeads> {
  const limits = dialLimits(campaign, nowMs);
  const limit = Math.min(most, limits.calls);
  const until = atMs(nowMs + takenForMs);
  const changes = { status: 'calling' as const, call_id: null, next_attempt_at: until, updated_at: atMs(nowMs) };
  const leads: LeadRecord[] = [];
  // Those that are tried again come first: they have waited longer.
  for (const due of [{ lt: atMs(nowMs + 1) }, null]) {
    if (leads.length >= limit) break;
    const where = { campaign_id: campaign.id, status: 'pending' as const, next_attempt_at: due };
    const claim = { filter: { where }, changes, limit: limit - leads.length, orderBy: 'next_attempt_at' as const };
    leads.push(...(await tx.across.leads.claim(claim)).map(({ record }) => record));
  }
  if (leads.length < limit) return { leads, until, nextAtMs: await nextDueMs(tx, campaign, nowMs, leads.length) };
  return { leads, until, nextAtMs: limits.nextAtMs(leads.length) };
}

/** How many leads a campaign's own limits let it dial now, and when it may dial another one after so many. */
export function dialLimits(
  campaign: CampaignRecord,
  nowMs: number,
): { readonly calls: number; nextAtMs(dialed: number): number } {
  const room = Math.max(0, campaign.max_concurrent_calls - campaign.calling_leads);
  return {
    calls: Math.min(room, paceOf(campaign, nowMs).calls),
    nextAtMs: (dialed) => (room <= dialed ? nowMs + idleMs : paceOf(campaign, nowMs, dialed).nextAtMs),
  };
}

/** What the pace lets a campaign dial, after so many calls of now. */
export function paceOf(
  { calls_per_minute: callsPerMinute, paced_until_ms: untilMs }: CampaignRecord,
  nowMs: number,
  dialed = 0,
): Allowance {
  if (callsPerMinute === null) return { calls: Number.POSITIVE_INFINITY, nextAtMs: nowMs };
  const pace = new Pace(callsPerMinute);
  return pace.allowance(dialed === 0 ? untilMs : pace.after(untilMs, nowMs, dialed), nowMs);
}

/** When the first lead is due of those that wait to be called again. */
async function nextDueMs(tx: Records, campaign: CampaignRecord, nowMs: number, taken: number): Promise<number> {
  if (campaign.pending_leads <= taken) return nowMs + idleMs;
  const where: Where<LeadRecord> = {
    campaign_id: campaign.id,
    status: 'pending',
    next_attempt_at: { gte: atMs(nowMs + 1) },
  };
  // A claim is the verb that goes by this field. It changes nothing.
  const claim = { filter: { where }, changes: { status: 'pending' as const }, limit: 1 };
  const [first] = await tx.across.leads.claim({ ...claim, orderBy: 'next_attempt_at' });
  const due = first?.record.next_attempt_at ?? null;
  return due === null ? nowMs + idleMs : Date.parse(due);
}

const batchSize = 100;

/** Gives back the leads of processes that died between taking and dialing them. Returns the campaigns they are of. */
export async function giveBackLost(storage: Storage, nowMs: number): Promise<{ orgId: string; campaignId: string }[]> {
  const now = atMs(nowMs);
  const taken: Where<LeadRecord> = { status: 'calling', call_id: null, next_attempt_at: { lt: now } };
  const lost = await storage.across.leads.find({ where: taken }, batchSize);
  for (const { orgId, record } of lost) {
    await storage.transaction(async (tx) => {
      const campaign = await tx.campaigns.update(orgId, record.campaign_id, { next_pass_at: now });
      if (campaign === null) return;
      const status = campaign.status === 'cancelled' ? ('skipped' as const) : ('pending' as const);
      const given = await tx.leads.update(orgId, record.id, { status, next_attempt_at: null, updated_at: now }, taken);
      if (given !== null) await tx.campaigns.increment(orgId, campaign.id, moved(1, 'calling', status));
    });
  }
  return lost.map(({ orgId, record }) => ({ orgId, campaignId: record.campaign_id }));
}
