import type { OutboundRequest } from '../../calls/origin/placing.ts';
import { missingVariables } from '../../calls/template.ts';
import type { CampaignRecord } from '../../domain/campaigns/campaign.ts';
import type { LeadRecord, LeadStatus } from '../../domain/campaigns/lead.ts';
import type { RandomBytes } from '../../ids.ts';
import { countDelta, countsAfter } from '../../leads/lead-counts.ts';
import { leadVariables } from '../../leads/lead-variables.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Changes } from '../../ports/storage/collection.ts';
import type { Records } from '../../ports/storage/records.ts';
import { isOpen } from '../hours/calling-hours.ts';
import { cancelled } from '../status/campaign-status.ts';
import { campaignCall, templatesOf } from './campaign-call.ts';
import type { ClaimedLeads } from './claim-leads.ts';
import type { DialContext } from './dial-contexts.ts';
import { paceOf } from './dial-limits.ts';
import type { Verdict } from './may-call.ts';
import { Pace } from './pace.ts';

/** Result of deciding about claimed leads. */
export interface DisposedLeads {
  /** Calls to place. */
  readonly requests: readonly OutboundRequest[];
  /** True if leads were returned because there is no room for their calls now. */
  readonly isFull: boolean;
  /** Changes to store of the campaign, in the same transaction. */
  readonly changes: Changes<CampaignRecord>;
}

export interface DispositionFacts {
  readonly context: DialContext;
  /** The record that the transaction has locked; its `calling_leads` include the claimed leads. */
  readonly campaign: CampaignRecord;
  readonly claimed: ClaimedLeads;
  /** The host's decision by lead id. A lead without one may be called. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  /** Calls allowed by limits other than the campaign's. */
  readonly most: number;
}

interface DispositionDependencies {
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** The node that places the calls. */
  readonly calls: { readonly nodeId: string };
}

/** Changes of a claimed lead: dialed, skipped, failed or returned to the campaign. */
type LeadDisposition = Changes<LeadRecord> & Required<Pick<LeadRecord, 'status'>>;

/** Delay before a lead is tried again about which the host did not answer. */
const askAgainMs = 60_000;

/** Decides about claimed leads, and stores the decisions and the calls. */
export async function disposeLeads(
  deps: DispositionDependencies,
  tx: Records,
  facts: DispositionFacts,
): Promise<DisposedLeads> {
  return await new LeadDispositions(deps, tx, facts).store();
}

class LeadDispositions {
  readonly #deps: DispositionDependencies;
  readonly #tx: Records;
  readonly #facts: DispositionFacts;
  readonly #nowMs: number;
  readonly #now: string;
  readonly #most: number;
  readonly #requests: OutboundRequest[] = [];
  #isFull = false;

  constructor(deps: DispositionDependencies, tx: Records, facts: DispositionFacts) {
    this.#deps = deps;
    this.#tx = tx;
    this.#facts = facts;
    this.#nowMs = deps.clock.wallMs();
    this.#now = new Date(this.#nowMs).toISOString();
    this.#most = Math.min(facts.most, paceOf(facts.campaign, this.#nowMs).calls);
  }

  async store(): Promise<DisposedLeads> {
    const { context, campaign, claimed } = this.#facts;
    const blocked = await this.#blockedNumbers();
    const statuses: LeadStatus[] = [];
    for (const lead of claimed.leads) {
      const disposition = this.#decide(lead, blocked);
      // If this process was slow, another one may have claimed the lead since, and decides about it.
      const ownLease = { status: 'calling' as const, call_id: null, next_attempt_at: claimed.until };
      if ((await this.#tx.leads.update(context.organization.id, lead.id, disposition, ownLease)) !== null) {
        statuses.push(disposition.status);
      } else if (disposition.status === 'calling') {
        this.#requests.pop();
      }
    }
    const deltas = statuses.map((status) => countDelta(1, 'calling', status));
    const counts = countsAfter(campaign, deltas);
    return { requests: this.#requests, isFull: this.#isFull, changes: { ...counts, ...(await this.#storeCalls()) } };
  }

  /** Decides about one lead. The call of a lead to dial is added to the requests. */
  #decide(lead: LeadRecord, blocked: ReadonlySet<string>): LeadDisposition {
    const { campaign, verdicts, context } = this.#facts;
    if (campaign.status === 'cancelled') return this.#skipped(cancelled, lead.last_end_reason);
    if (campaign.status !== 'running' || !isOpen(campaign, this.#nowMs)) return this.#returned(lead);
    if (lead.attempts >= campaign.max_attempts) return { ...this.#after, status: 'failed' };
    const verdict = verdicts.get(lead.id) ?? 'yes';
    if (verdict === 'no') return this.#skipped('The host does not allow the call.', 'do_not_call');
    if (blocked.has(lead.phone_number)) return this.#skipped('The number is on the do-not-call list.', 'do_not_call');
    const variables = leadVariables(lead);
    const templates = templatesOf(context.agent, campaign);
    const [missing] = templates.flatMap((template) => missingVariables(template, variables));
    if (missing !== undefined) return this.#skipped(`The variable ${missing} is missing.`, 'missing_variable');
    if (verdict === 'unknown') {
      const next_attempt_at = new Date(this.#nowMs + askAgainMs).toISOString();
      const status_reason = 'mayCall of the host failed or did not respond in time.';
      return { ...this.#returned(lead), next_attempt_at, status_reason };
    }
    if (this.#requests.length >= this.#most) {
      this.#isFull = true;
      return this.#returned(lead);
    }
    const request = campaignCall(context, campaign, lead, this.#deps);
    this.#requests.push(request);
    return {
      ...this.#after,
      status: 'calling',
      call_id: request.call.id,
      attempts: lead.attempts + 1,
      last_attempt_at: this.#now,
      status_reason: null,
    };
  }

  /** Returns the changes that return a lead to the campaign: it is pending again, and due at once. */
  #returned({ attempts }: LeadRecord): LeadDisposition {
    return { ...this.#after, status: 'pending', next_attempt_at: attempts === 0 ? null : this.#now };
  }

  #skipped(reason: string, lastEndReason: string | null): LeadDisposition {
    return { ...this.#after, status: 'skipped', status_reason: reason, last_end_reason: lastEndReason };
  }

  get #after(): { next_attempt_at: null; updated_at: string } {
    return { next_attempt_at: null, updated_at: this.#now };
  }

  /** Returns the leads' numbers that are on the do-not-call list. */
  async #blockedNumbers(): Promise<ReadonlySet<string>> {
    const { context, claimed } = this.#facts;
    const numbers = [...new Set(claimed.leads.map(({ phone_number }) => phone_number))];
    if (numbers.length === 0) return new Set();
    const where = { phone_number: { in: numbers } };
    const entries = await this.#tx.doNotCall.list(context.organization.id, { where, limit: numbers.length });
    return new Set(entries.map(({ phone_number }) => phone_number));
  }

  /** Stores the calls, and returns the changed pace of the campaign. */
  async #storeCalls(): Promise<Changes<CampaignRecord>> {
    const { context, campaign } = this.#facts;
    const dialed = this.#requests.length;
    if (dialed === 0) return {};
    const node_id = this.#deps.calls.nodeId;
    const started = { node_id, webhook_sequence: 0, reserved_seconds: null };
    const calls = this.#requests.map(({ call }) => ({ ...call, ...started }));
    await this.#tx.calls.insertMany(context.organization.id, calls);
    if (campaign.calls_per_minute === null) return {};
    return {
      paced_until_ms: new Pace(campaign.calls_per_minute).after(campaign.paced_until_ms, this.#nowMs, dialed),
    };
  }
}
