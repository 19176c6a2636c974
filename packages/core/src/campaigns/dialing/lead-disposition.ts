import { callsLeft } from '../../calls/limits.ts';
import { trunkCallsLeft } from '../../calls/outbound-line.ts';
import type { OutboundRequest } from '../../calls/placing.ts';
import { missingVariables } from '../../calls/template.ts';
import type { CampaignRecord } from '../../domain/campaign.ts';
import type { LeadRecord, LeadStatus } from '../../domain/lead.ts';
import type { Changes } from '../../ports/storage/collection.ts';
import type { Records } from '../../ports/storage/records.ts';
import { isOpen } from '../hours/calling-hours.ts';
import { moved, recounted } from '../leads/lead-counts.ts';
import { leadVariables } from '../leads/lead-variables.ts';
import { cancelled } from '../status/campaign-status.ts';
import { campaignCall, type Party, templatesOf } from './campaign-call.ts';
import { paceOf, type TakenLeads } from './claim-leads.ts';
import type { DialDependencies } from './dial-leads.ts';
import type { Verdict } from './may-call.ts';
import { Pace } from './pace.ts';

/** What becomes of leads that were taken. */
export interface Settled {
  /** The calls to place. */
  readonly requests: readonly OutboundRequest[];
  /** Leads were given back, as there is no room for their calls now. */
  readonly isFull: boolean;
  /** What is to be stored of the campaign, in the same transaction. */
  readonly changes: Changes<CampaignRecord>;
}

export interface SettlingFacts {
  readonly party: Party;
  /** As the transaction has locked it, with the leads among those that are calling. */
  readonly campaign: CampaignRecord;
  readonly taken: TakenLeads;
  /** What the host said, by lead; of one that it was not asked about it said yes. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  /** Calls that others than the campaign have room for. */
  readonly most: number;
}

type Fate = Changes<LeadRecord> & Required<Pick<LeadRecord, 'status'>>;

/** A lead whom the host was not to be asked about is tried again then. */
const askAgainMs = 60_000;

/**
 * How many more calls the organization and its trunk have room for. Where anything limits them, it locks the organization: then follow
 * campaign and leads, the order in which everybody locks them. Where nothing does, its campaigns need not wait for one another.
 */
export async function callsLeftFor(
  tx: Records,
  { organization, line }: Party,
): Promise<{ readonly calls: number; readonly hasNoMinutes: boolean }> {
  const { id: orgId, minutes_balance: balance, concurrency_limit: limit } = organization;
  if (balance === null && limit === null && line.trunk.max_concurrent_calls === null) {
    return { calls: Number.POSITIVE_INFINITY, hasNoMinutes: false };
  }
  const left = await callsLeft(tx, orgId);
  if (typeof left !== 'number') return { calls: 0, hasNoMinutes: true };
  return { calls: Math.min(left, await trunkCallsLeft(tx, orgId, line.trunk)), hasNoMinutes: false };
}

/** Decides what becomes of leads that were taken, and stores that and their calls. */
export async function settleTaken(
  deps: Pick<DialDependencies, 'clock' | 'random' | 'calls'>,
  tx: Records,
  facts: SettlingFacts,
): Promise<Settled> {
  return await new Settlement(deps, tx, facts).run();
}

class Settlement {
  readonly #deps: Pick<DialDependencies, 'clock' | 'random' | 'calls'>;
  readonly #tx: Records;
  readonly #facts: SettlingFacts;
  readonly #nowMs: number;
  readonly #now: string;
  readonly #most: number;
  readonly #requests: OutboundRequest[] = [];
  #isFull = false;

  constructor(deps: Pick<DialDependencies, 'clock' | 'random' | 'calls'>, tx: Records, facts: SettlingFacts) {
    this.#deps = deps;
    this.#tx = tx;
    this.#facts = facts;
    this.#nowMs = deps.clock.wallMs();
    this.#now = new Date(this.#nowMs).toISOString();
    this.#most = Math.min(facts.most, paceOf(facts.campaign, this.#nowMs).calls);
  }

  async run(): Promise<Settled> {
    const { party, campaign, taken } = this.#facts;
    const unwanted = await this.#unwanted();
    const statuses: LeadStatus[] = [];
    for (const lead of taken.leads) {
      const fate = this.#fate(lead, unwanted);
      // Whoever has taken it since, as this process was slow, decides.
      const mine = { status: 'calling' as const, call_id: null, next_attempt_at: taken.until };
      if ((await this.#tx.leads.update(party.organization.id, lead.id, fate, mine)) !== null) {
        statuses.push(fate.status);
      } else if (fate.status === 'calling') {
        this.#requests.pop();
      }
    }
    const counts = recounted(
      campaign,
      statuses.map((status) => moved(1, 'calling', status)),
    );
    return { requests: this.#requests, isFull: this.#isFull, changes: { ...counts, ...(await this.#storeCalls()) } };
  }

  /** What becomes of a lead. One that is to be dialed is among the requests then. */
  #fate(lead: LeadRecord, unwanted: ReadonlySet<string>): Fate {
    const { campaign, verdicts, party } = this.#facts;
    if (campaign.status === 'cancelled') return this.#skipped(cancelled, lead.last_end_reason);
    if (campaign.status !== 'running' || !isOpen(campaign, this.#nowMs)) return this.#givenBack(lead);
    if (lead.attempts >= campaign.max_attempts) return { ...this.#after, status: 'failed' };
    const verdict = verdicts.get(lead.id) ?? 'yes';
    if (verdict === 'no') return this.#skipped('The host does not allow the call.', 'do_not_call');
    if (unwanted.has(lead.phone_number)) return this.#skipped('The number is on the do-not-call list.', 'do_not_call');
    const variables = leadVariables(lead);
    const templates = templatesOf(party.agent, campaign);
    const [missing] = templates.flatMap((template) => missingVariables(template, variables));
    if (missing !== undefined) return this.#skipped(`The variable ${missing} is missing.`, 'missing_variable');
    if (verdict === 'unknown') {
      const next_attempt_at = new Date(this.#nowMs + askAgainMs).toISOString();
      const status_reason = 'The host did not say whether it may be called.';
      return { ...this.#givenBack(lead), next_attempt_at, status_reason };
    }
    if (this.#requests.length >= this.#most) {
      this.#isFull = true;
      return this.#givenBack(lead);
    }
    const request = campaignCall(party, campaign, lead, this.#deps);
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

  /** As it was: due at once. */
  #givenBack({ attempts }: LeadRecord): Fate {
    return { ...this.#after, status: 'pending', next_attempt_at: attempts === 0 ? null : this.#now };
  }

  #skipped(reason: string, lastEndReason: string | null): Fate {
    return { ...this.#after, status: 'skipped', status_reason: reason, last_end_reason: lastEndReason };
  }

  get #after(): { next_attempt_at: null; updated_at: string } {
    return { next_attempt_at: null, updated_at: this.#now };
  }

  async #unwanted(): Promise<ReadonlySet<string>> {
    const { party, taken } = this.#facts;
    const numbers = [...new Set(taken.leads.map(({ phone_number }) => phone_number))];
    if (numbers.length === 0) return new Set();
    const where = { phone_number: { in: numbers } };
    const entries = await this.#tx.doNotCall.list(party.organization.id, { where, limit: numbers.length });
    return new Set(entries.map(({ phone_number }) => phone_number));
  }

  /** Gives what they change about the campaign's pace. */
  async #storeCalls(): Promise<Changes<CampaignRecord>> {
    const { party, campaign } = this.#facts;
    const dialed = this.#requests.length;
    if (dialed === 0) return {};
    const node_id = this.#deps.calls.nodeId;
    const calls = this.#requests.map(({ call }) => ({ ...call, node_id, webhook_sequence: 0 }));
    await this.#tx.calls.insertMany(party.organization.id, calls);
    if (campaign.calls_per_minute === null) return {};
    return {
      paced_until_ms: new Pace(campaign.calls_per_minute).after(campaign.paced_until_ms, this.#nowMs, dialed),
    };
  }
}
