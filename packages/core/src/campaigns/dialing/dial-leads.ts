import type { CallControl, CallSlot } from '../../calls/call-control.ts';
import type { PassedLimit } from '../../calls/limits/limits.ts';
import type { CampaignRecord } from '../../domain/campaigns/campaign.ts';
import type { RandomBytes } from '../../ids.ts';
import { countDelta, countsAfter } from '../../leads/lead-counts.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Changes, Where } from '../../ports/storage/collection.ts';
import type { Records } from '../../ports/storage/records.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { callsLeftFor } from './calls-left.ts';
import { type ClaimedLeads, type ClaimOptions, claimLeads } from './claim-leads.ts';
import type { DialContext } from './dial-contexts.ts';
import { type DisposedLeads, disposeLeads } from './lead-dispositions.ts';
import { askHost, type MayCall, type Verdict } from './may-call.ts';

export interface DialDependencies {
  readonly storage: Storage;
  readonly calls: Pick<CallControl, 'nodeId' | 'acquireSlot' | 'place'>;
  readonly mayCall: MayCall | undefined;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
}

/** Source of the leads to dial. */
export interface LeadSource {
  /** Number of calls to acquire slots for. */
  readonly wanted: number;
  /** Condition that the campaign has to meet once it is locked. */
  readonly expected: Where<CampaignRecord>;
  /** The host's decision by lead id. A lead without one may be called. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  /** Returns the claimed leads and what the claim changes about the counts of the campaign, which `tx` has locked. */
  claim(
    tx: Records,
    campaign: CampaignRecord,
    slots: number,
  ): Promise<{ readonly claimed: ClaimedLeads; readonly counts: Changes<CampaignRecord> }>;
}

/** Result of an attempt to dial. */
export interface Dialed extends Omit<DisposedLeads, 'changes'> {
  /** Leads that were claimed. */
  readonly leads: number;
  /** True when calls wait for a slot of this process, or for the limits of the organization or trunk. */
  readonly isFull: boolean;
  /** The limit of an organization without minutes or credit, if leads were claimed; else null. */
  readonly usedUp: PassedLimit | null;
}

/** Claims leads in the transaction that dials them: for campaigns whose leads need no question to the host. */
export function dueLeads({ most, nowMs }: ClaimOptions): LeadSource {
  return {
    wanted: most,
    expected: { status: 'running' },
    verdicts: new Map(),
    async claim(tx, campaign, slots) {
      const claimed = await claimLeads(tx, campaign, { most: slots, nowMs });
      const delta = countDelta(claimed.leads.length, 'pending', 'calling');
      return { claimed, counts: countsAfter(campaign, [delta]) };
    },
  };
}

/** Asks the host about leads that were reserved before, so that no transaction waits for its answers. */
export async function reservedLeads(
  deps: Pick<DialDependencies, 'mayCall' | 'clock' | 'logger'>,
  orgId: string,
  claimed: ClaimedLeads,
): Promise<LeadSource> {
  const asked = claimed.leads.map(async (lead) => [lead.id, await askHost(deps, orgId, lead)] as const);
  const verdicts = new Map(await Promise.all(asked));
  return {
    wanted: [...verdicts.values()].filter((verdict) => verdict === 'yes').length,
    expected: {},
    verdicts,
    claim: async () => ({ claimed, counts: {} }),
  };
}

/**
 * Dials leads: in one transaction it locks the campaign, claims the leads, decides about each lead and stores the
 * calls; then it places the calls. Afterwards, each claimed lead has a call or another status.
 *
 * `schedule` returns further changes of the campaign to store, given the result and the locked record.
 */
export async function dialLeads(
  deps: DialDependencies,
  context: DialContext,
  campaignId: string,
  source: LeadSource,
  schedule: (dialed: Dialed, nextAtMs: number, campaign: CampaignRecord) => Changes<CampaignRecord>,
): Promise<Dialed> {
  const orgId = context.organization.id;
  const { wanted, expected, verdicts } = source;
  return await withCallSlots(deps, context, wanted, (slots) =>
    deps.storage.transaction(async (tx) => {
      const left = await callsLeftFor(tx, context);
      const campaign = await tx.campaigns.lock(orgId, campaignId, expected);
      if (campaign === null) return { requests: [], leads: 0, isFull: false, usedUp: null };
      const { claimed, counts } = await source.claim(tx, campaign, slots);
      const most = Math.min(slots, left.calls);
      const facts = { context, campaign: { ...campaign, ...counts }, claimed, verdicts, most };
      const { changes, requests, isFull: isOverLimit } = await disposeLeads(deps, tx, facts);
      const leads = claimed.leads.length;
      const isFull = isOverLimit || (slots < wanted && leads === slots);
      const dialed = { requests, leads, isFull, usedUp: leads > 0 ? left.usedUp : null };
      const stored = { ...counts, ...changes, ...schedule(dialed, claimed.nextAtMs, campaign) };
      if (Object.keys(stored).length > 0) await tx.campaigns.update(orgId, campaignId, stored);
      return dialed;
    }),
  );
}

/** Acquires up to `wanted` call slots, places the requested calls in them, and releases the other slots. */
async function withCallSlots(
  { calls }: Pick<DialDependencies, 'calls'>,
  { organization }: Pick<DialContext, 'organization'>,
  wanted: number,
  work: (slots: number) => Promise<Dialed>,
): Promise<Dialed> {
  const slots = await acquireSlots(calls, organization, wanted);
  try {
    const dialed = await work(slots.length);
    for (const request of dialed.requests) {
      const slot = slots.pop();
      if (slot !== undefined) calls.place(request, slot);
    }
    return dialed;
  } finally {
    for (const slot of slots) slot.release();
  }
}

async function acquireSlots(
  calls: Pick<CallControl, 'acquireSlot'>,
  organization: DialContext['organization'],
  wanted: number,
): Promise<CallSlot[]> {
  const slots: CallSlot[] = [];
  try {
    while (slots.length < wanted) slots.push(await calls.acquireSlot(organization));
  } catch {
    // This process, or the organization's share of it, has no more slots: the other leads wait.
  }
  return slots;
}
