import type { CallControl, Room } from '../calls/call-control.ts';
import { callsLeft } from '../calls/limits.ts';
import { trunkCallsLeft } from '../calls/outbound-line.ts';
import type { OutboundRequest } from '../calls/placing.ts';
import { missingVariables } from '../calls/template.ts';
import type { CampaignRecord } from '../domain/campaign.ts';
import type { LeadRecord } from '../domain/lead.ts';
import type { RandomBytes } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Records, Storage } from '../ports/storage/storage.ts';
import type { Changes } from '../ports/storage/verbs.ts';
import { campaignCall, type Party, templatesOf } from './campaign-call.ts';
import { cancelled } from './campaign-status.ts';
import { isOpen } from './hours.ts';
import { moved } from './lead-counts.ts';
import { leadVariables } from './lead-variables.ts';
import { askHost, type MayCall, type Verdict } from './may-call.ts';
import { Pace } from './pace.ts';
import { paceOf, type TakenLeads } from './take-leads.ts';

export interface DialDependencies {
  readonly storage: Storage;
  readonly calls: Pick<CallControl, 'nodeId' | 'takeRoom' | 'place'>;
  readonly mayCall: MayCall | undefined;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
}

/** What came of an attempt to dial. */
export interface Dialed {
  /** Leads that were given back, as there is no room for their calls now. */
  readonly isFull: boolean;
  /** The organization has no minutes left. */
  readonly hasNoMinutes: boolean;
}

/** A lead whom the host was not to be asked about is tried again then. */
const askAgainMs = 60_000;

/** Dials the leads that were taken, and decides in one transaction what becomes of each; none stays as it is. */
export async function dialLeads(
  deps: DialDependencies,
  party: Party,
  campaignId: string,
  taken: TakenLeads,
): Promise<Dialed> {
  const { calls } = deps;
  const orgId = party.organization.id;
  const verdicts = new Map<string, Verdict>();
  await Promise.all(taken.leads.map(async (lead) => void verdicts.set(lead.id, await askHost(deps, orgId, lead))));
  const wanted = [...verdicts.values()].filter((verdict) => verdict === 'yes').length;
  const rooms = await takeRooms(calls, wanted);
  let dialing: Dialing;
  try {
    dialing = await deps.storage.transaction((tx) =>
      new Settlement(deps, tx, { party, campaignId, taken, verdicts, rooms: rooms.length }).run(),
    );
  } catch (thrown) {
    for (const room of rooms) room.give();
    throw thrown;
  }
  for (const request of dialing.requests) {
    const room = rooms.pop();
    if (room !== undefined) calls.place(request, room);
  }
  for (const room of rooms) room.give();
  return dialing;
}

async function takeRooms(calls: Pick<CallControl, 'takeRoom'>, wanted: number): Promise<Room[]> {
  const rooms: Room[] = [];
  try {
    while (rooms.length < wanted) rooms.push(await calls.takeRoom());
  } catch {
    // There is no room for more: the others wait.
  }
  return rooms;
}

interface Dialing extends Dialed {
  readonly requests: readonly OutboundRequest[];
}

interface Facts {
  readonly party: Party;
  readonly campaignId: string;
  readonly taken: TakenLeads;
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly rooms: number;
}

type Fate = Changes<LeadRecord> & Required<Pick<LeadRecord, 'status'>>;

/** One transaction: organization, then campaign, then leads are locked, in the order in which everybody does. */
class Settlement {
  readonly #deps: DialDependencies;
  readonly #tx: Records;
  readonly #facts: Facts;
  readonly #nowMs: number;
  readonly #now: string;
  readonly #requests: OutboundRequest[] = [];
  #isFull = false;

  constructor(deps: DialDependencies, tx: Records, facts: Facts) {
    this.#deps = deps;
    this.#tx = tx;
    this.#facts = facts;
    this.#nowMs = deps.clock.wallMs();
    this.#now = new Date(this.#nowMs).toISOString();
  }

  async run(): Promise<Dialing> {
    const { party, campaignId, taken, rooms } = this.#facts;
    const orgId = party.organization.id;
    const tx = this.#tx;
    const left = await callsLeft(tx, orgId);
    const hasNoMinutes = typeof left !== 'number';
    const lineLeft = hasNoMinutes ? 0 : Math.min(left, await trunkCallsLeft(tx, orgId, party.line.trunk));
    const campaign = await tx.campaigns.increment(orgId, campaignId, { calling_leads: 0 });
    if (campaign === null) return { requests: [], isFull: false, hasNoMinutes };
    const most = Math.min(rooms, lineLeft, paceOf(campaign, this.#nowMs).calls);
    const unwanted = await this.#unwanted();
    const counts = new Map<LeadRecord['status'], number>();
    for (const lead of taken.leads) {
      const fate = this.#fate(campaign, lead, unwanted, most);
      // Whoever has taken it since, as this process was slow, decides.
      const mine = { status: 'calling' as const, call_id: null, next_attempt_at: taken.until };
      if ((await tx.leads.update(orgId, lead.id, fate, mine)) === null) {
        if (fate.status === 'calling') this.#requests.pop();
        continue;
      }
      counts.set(fate.status, (counts.get(fate.status) ?? 0) + 1);
    }
    await this.#store(campaign, counts);
    return { requests: this.#requests, isFull: this.#isFull, hasNoMinutes };
  }

  /** What becomes of a lead. One that is to be dialed is among the requests then. */
  #fate(campaign: CampaignRecord, lead: LeadRecord, unwanted: ReadonlySet<string>, most: number): Fate {
    if (campaign.status === 'cancelled') return this.#skipped(cancelled, lead.last_end_reason);
    if (campaign.status !== 'running' || !isOpen(campaign, this.#nowMs)) return this.#givenBack(lead);
    if (lead.attempts >= campaign.max_attempts) return { ...this.#after, status: 'failed' };
    const verdict = this.#facts.verdicts.get(lead.id);
    if (verdict === 'no') return this.#skipped('The host does not allow the call.', 'do_not_call');
    if (unwanted.has(lead.phone_number)) return this.#skipped('The number is on the do-not-call list.', 'do_not_call');
    const variables = leadVariables(lead);
    const templates = templatesOf(this.#facts.party.agent, campaign);
    const [missing] = templates.flatMap((template) => missingVariables(template, variables));
    if (missing !== undefined) return this.#skipped(`The variable ${missing} is missing.`, 'missing_variable');
    if (verdict === 'unknown') {
      const next_attempt_at = new Date(this.#nowMs + askAgainMs).toISOString();
      return {
        ...this.#givenBack(lead),
        next_attempt_at,
        status_reason: 'The host did not say whether it may be called.',
      };
    }
    if (this.#requests.length >= most) {
      this.#isFull = true;
      return this.#givenBack(lead);
    }
    const request = campaignCall(this.#facts.party, campaign, lead, this.#deps);
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
    const where = { phone_number: { in: numbers } };
    const entries = await this.#tx.doNotCall.list(party.organization.id, { where, limit: numbers.length });
    return new Set(entries.map(({ phone_number }) => phone_number));
  }

  async #store(campaign: CampaignRecord, counts: ReadonlyMap<LeadRecord['status'], number>): Promise<void> {
    const orgId = this.#facts.party.organization.id;
    const dialed = this.#requests.length;
    if (dialed > 0) {
      const node_id = this.#deps.calls.nodeId;
      await this.#tx.calls.insertMany(
        orgId,
        this.#requests.map(({ call }) => ({ ...call, node_id })),
      );
      if (campaign.calls_per_minute !== null) {
        const pace = new Pace(campaign.calls_per_minute);
        const paced_until_ms = pace.after(campaign.paced_until_ms, this.#nowMs, dialed);
        await this.#tx.campaigns.update(orgId, campaign.id, { paced_until_ms });
      }
    }
    for (const [status, leads] of counts) {
      if (status !== 'calling') {
        await this.#tx.campaigns.increment(orgId, campaign.id, moved(leads, 'calling', status));
      }
    }
  }
}
