import type { Call, EndReason } from '@va/core';
import { type LeadRecord, type OutboundRequest, type Storage, systemRandom, timestamp } from '@va/core/adapter';
import { expect } from 'vitest';
import { terminalStatus } from '../../../src/calls/ending.ts';
import { uuidv7 } from '../../../src/ids.ts';
import { ModelClock } from './model-clock.ts';
import { ModelNode } from './model-node.ts';

export interface Limits {
  readonly organization: number;
  readonly node: number;
}

export interface Settings {
  readonly timezone: string;
  readonly start: string;
  readonly end: string;
  readonly max_concurrent_calls: number;
  readonly calls_per_minute: number | null;
  readonly max_attempts: number;
  readonly retry_delay_seconds: number;
}

interface Dialed {
  readonly atMs: number;
  readonly campaignId: string;
  readonly leadId: string;
  readonly number: string;
}

export type Outcome = Extract<EndReason, 'busy' | 'no_answer' | 'declined' | 'user_hangup' | 'voicemail' | 'llm_error'>;

const spoken: ReadonlySet<string> = new Set(['user_hangup', 'voicemail', 'llm_error']);

let phones = 0;

/** Three processes on one database, and the invariants that they must keep. */
export class CampaignWorld {
  readonly clock: ModelClock;
  readonly #storages: readonly Storage[];
  readonly #limits: Limits;
  readonly #orgId: string;
  #nodes: ModelNode[] = [];
  /** Dead processes whose calls have not been ended yet. */
  #dead: ModelNode[] = [];
  readonly #dialed: Dialed[] = [];
  /** Live calls, those of dead processes included. */
  readonly #live = new Map<string, { readonly nodeId: string; readonly request: OutboundRequest }>();
  readonly #settings = new Map<string, Settings>();
  /** Numbers and campaigns that must not be dialed any more. */
  readonly #unwanted = new Set<string>();
  readonly #barred = new Set<string>();
  readonly #faults: string[] = [];
  agents: string[] = [];
  campaigns: string[] = [];

  constructor(storages: readonly Storage[], startedAt: string, limits: Limits) {
    this.#storages = storages;
    this.#limits = limits;
    this.clock = new ModelClock(startedAt);
    this.#orgId = uuidv7(this.clock, systemRandom);
  }

  async open(): Promise<void> {
    for (const storage of this.#storages) this.#nodes.push(this.#newNode(storage));
    const { operations } = this.#someNode;
    await operations.organizations.create({
      id: this.#orgId,
      name: 'Model',
      concurrency_limit: this.#limits.organization,
    });
    phones += 1;
    const number = `+3120${2_000_000 + phones}`;
    await operations.numbers.register(this.#orgId, { phone_number: number });
    await operations.trunks.create(this.#orgId, {
      name: 'T',
      provider: 'p',
      address: 'sip.example.com',
      numbers: [number],
    });
    await this.newAgent();
  }

  async newAgent(): Promise<string> {
    const { id } = await this.#someNode.operations.agents.create(this.#orgId, { name: 'Anna' });
    this.agents.push(id);
    return id;
  }

  async deleteAgent(n: number): Promise<void> {
    const [id] = this.agents.splice(n % this.agents.length, 1);
    if (id !== undefined) await this.#someNode.operations.agents.delete(this.#orgId, id);
    if (this.agents.length === 0) await this.newAgent();
  }

  async create(settings: Settings, leads: number): Promise<void> {
    const { operations } = this.#someNode;
    const { start, end, ...rest } = settings;
    const { id } = await operations.campaigns.create(this.#orgId, {
      name: 'Model',
      agent_id: this.agents.at(-1) ?? '',
      schedule_start_time: start,
      schedule_end_time: end,
      retry_on: ['busy', 'no_answer', 'failed'],
      ...rest,
    });
    this.#settings.set(id, settings);
    this.campaigns.push(id);
    await this.import(this.campaigns.length - 1, leads);
    await this.setStatus(this.campaigns.length - 1, 'scheduled');
  }

  async import(n: number, leads: number): Promise<void> {
    const id = this.#campaign(n);
    if (id === null) return;
    const list = Array.from({ length: leads }, (_, each) => ({
      phone_number: `+3161${String(1_000_000 + ((each * 7) % 40))}`,
    }));
    await this.#maybe(this.#someNode.operations.leads.addMany(this.#orgId, id, { leads: list, on_duplicate: 'allow' }));
  }

  /** Sets the status; a transition that the campaign does not allow changes nothing. */
  async setStatus(n: number, status: 'scheduled' | 'paused' | 'cancelled'): Promise<void> {
    const id = this.#campaign(n);
    if (id === null) return;
    if (status === 'scheduled') this.#barred.delete(id);
    const done = await this.#maybe(this.#someNode.operations.campaigns.update(this.#orgId, id, { status }));
    if (done && status !== 'scheduled') {
      await this.settle();
      this.#barred.add(id);
    }
  }

  async deleteLead(n: number): Promise<void> {
    const id = this.#campaign(n);
    if (id === null) return;
    const [lead] = await this.#storage.leads.list(this.#orgId, {
      where: { campaign_id: id },
      order: 'newest',
      limit: 1,
    });
    if (lead !== undefined) await this.#maybe(this.#someNode.operations.leads.remove(this.#orgId, id, lead.id));
  }

  async doNotCall(n: number): Promise<void> {
    const number = `+3161${1_000_000 + (n % 40)}`;
    await this.#someNode.operations.doNotCall.add(this.#orgId, { phone_number: number });
    await this.settle();
    this.#unwanted.add(number);
  }

  /** Ends a call of a live process. */
  async endCall(n: number, outcome: Outcome): Promise<void> {
    const alive = [...this.#live].filter(([, { nodeId }]) => this.#nodes.some((node) => node.id === nodeId));
    const [id, live] = alive[n % Math.max(1, alive.length)] ?? [];
    if (id === undefined || live === undefined) return;
    const node = this.#nodes.find((each) => each.id === live.nodeId) ?? this.#someNode;
    await this.#end(node, live.request.call, outcome);
  }

  /** Kills a process after `afterVerbs` more storage operations and starts another one in its place. */
  async kill(n: number, afterVerbs: number): Promise<void> {
    const index = n % this.#nodes.length;
    const node = this.#nodes[index];
    const storage = this.#storages[index];
    if (node === undefined || storage === undefined) return;
    node.dieAfter(afterVerbs);
    node.scheduler.look();
    await node.settled();
    node.dieAfter(0);
    await node.stop();
    this.#dead.push(node);
    this.#nodes[index] = this.#newNode(storage);
  }

  /** Ends the calls of dead processes, as the cluster does when their lease expires. */
  async buryDead(): Promise<void> {
    for (const { id } of this.#dead.splice(0)) {
      const where = { node_id: id, status: { in: ['queued', 'connecting', 'in-progress'] as const } };
      for (const { record } of await this.#storage.across.calls.find({ where }, 1_000)) {
        const { node_id: _, ...call } = record;
        await this.#end(this.#someNode, call, 'worker_lost');
      }
    }
  }

  async jump(ms: number): Promise<void> {
    this.clock.jump(ms);
    await this.settle();
  }

  async settle(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.settled()));
  }

  /** Asserts the invariants once all processes are idle. */
  async check(): Promise<void> {
    await this.settle();
    expect(this.#faults.join('\n')).toBe('');
    for (const campaign of await this.#storage.campaigns.list(this.#orgId, { limit: 1_000 })) {
      const leads = await this.#leadsOf(campaign.id);
      const count = (status: string): number => leads.filter((lead) => lead.status === status).length;
      const counted = ['pending', 'calling', 'completed', 'failed', 'skipped'].map(count);
      const { total_leads, pending_leads, calling_leads, completed_leads, failed_leads, skipped_leads } = campaign;
      expect([pending_leads, calling_leads, completed_leads, failed_leads, skipped_leads], campaign.id).toEqual(
        counted,
      );
      expect(total_leads).toBe(leads.length);
      for (const lead of leads) {
        if (lead.status === 'calling' && lead.call_id !== null) {
          const call = await this.#storage.calls.get(this.#orgId, lead.call_id);
          expect(call?.ended_at, 'a lead is calling whose call is over').toBeNull();
        }
      }
      if (campaign.status === 'cancelled' || campaign.status === 'completed') expect(pending_leads).toBe(0);
    }
  }

  /** Answers all calls, restarts paused campaigns, and runs until every campaign has ended. */
  async finish(): Promise<void> {
    await this.buryDead();
    for (const [n, id] of this.campaigns.entries()) {
      const campaign = await this.#storage.campaigns.get(this.#orgId, id);
      if (campaign?.status !== 'paused') continue;
      await this.#someNode.operations.campaigns.update(this.#orgId, id, { agent_id: this.agents.at(-1) });
      await this.setStatus(n, 'scheduled');
    }
    for (let round = 0; round < 400; round += 1) {
      await this.settle();
      while (this.#live.size > 0) await this.endCall(0, 'user_hangup');
      await this.settle();
      const open = await this.#storage.campaigns.list(this.#orgId, {
        where: { status: { in: ['scheduled', 'running'] as const } },
        limit: 1_000,
      });
      const waiting = open.filter(({ total_leads }) => total_leads > 0);
      if (waiting.length === 0) return await this.check();
      const next = Math.min(
        ...waiting.map(({ next_pass_at: at }) => (at === null ? Number.POSITIVE_INFINITY : Date.parse(at))),
      );
      await this.jump(Math.max(1_000, next - this.clock.wallMs()));
    }
    throw new Error('a campaign does not end');
  }

  /** Cancels all campaigns, so that the next world finds no work. */
  async close(): Promise<void> {
    for (const [n] of this.campaigns.entries()) await this.setStatus(n, 'cancelled');
    await Promise.all(this.#nodes.map((node) => node.stop()));
  }

  #newNode(storage: Storage): ModelNode {
    const onDial = (node: ModelNode, request: OutboundRequest): void => this.#onDial(node, request);
    return new ModelNode(storage, this.clock, { limit: this.#limits.node, onDial });
  }

  #onDial(node: ModelNode, request: OutboundRequest): void {
    const { call } = request;
    const campaignId = String(call.campaign_id);
    const leadId = String(call.lead_id);
    const settings = this.#settings.get(campaignId);
    const nowMs = this.clock.wallMs();
    const must = (holds: boolean, rule: string): void => {
      if (!holds) this.#faults.push(`${rule}: ${campaignId} at ${new Date(nowMs).toISOString()}`);
    };
    if (settings === undefined) return;
    const wall = new Date(nowMs).toLocaleTimeString('sv-SE', { timeZone: settings.timezone });
    must(wall >= settings.start && wall < settings.end, `dialed at ${wall}, outside its hours`);
    const live = [...this.#live.values()];
    const others = live.map(({ request: each }) => each.call);
    must(!others.some((each) => each.lead_id === leadId), 'a lead is dialed twice at once');
    must(
      others.filter((each) => each.campaign_id === campaignId).length < settings.max_concurrent_calls,
      'too many calls of a campaign',
    );
    must(live.length < this.#limits.organization, 'too many calls of an organization');
    must(live.filter(({ nodeId }) => nodeId === node.id).length < this.#limits.node, 'too many calls of a process');
    must(
      this.#dialed.filter((each) => each.leadId === leadId).length < settings.max_attempts,
      'a lead is dialed too often',
    );
    const lately = this.#dialed.filter((each) => each.campaignId === campaignId && each.atMs > nowMs - 60_000);
    must(lately.length < (settings.calls_per_minute ?? Number.POSITIVE_INFINITY), 'too many calls in a minute');
    must(!this.#unwanted.has(request.destination), 'dialed a number that is not to be called');
    must(!this.#barred.has(campaignId), 'dialed for a campaign that is paused or cancelled');
    this.#live.set(call.id, { nodeId: node.id, request });
    this.#dialed.push({ atMs: nowMs, campaignId, leadId, number: request.destination });
  }

  async #end(node: ModelNode, call: Call, reason: Outcome | 'worker_lost'): Promise<void> {
    const now = timestamp(this.clock);
    const answered = spoken.has(reason) ? { answered_at: now, duration_seconds: 20 } : { duration_seconds: 0 };
    const ended = { status: terminalStatus(reason), end_reason: reason, ended_at: now, updated_at: now };
    await node.store(this.#orgId, { ...call, ...answered, ...ended });
    this.#live.delete(call.id);
  }

  #campaign(n: number): string | null {
    return this.campaigns[n % Math.max(1, this.campaigns.length)] ?? null;
  }

  async #leadsOf(campaignId: string): Promise<LeadRecord[]> {
    return await this.#storage.leads.list(this.#orgId, { where: { campaign_id: campaignId }, limit: 1_000 });
  }

  /** Returns false when the operation was refused with 409. */
  async #maybe(work: Promise<unknown>): Promise<boolean> {
    try {
      await work;
      return true;
    } catch (thrown) {
      if (thrown instanceof Error && 'status' in thrown && thrown.status === 409) return false;
      throw thrown;
    }
  }

  get #someNode(): ModelNode {
    const [node] = this.#nodes;
    if (node === undefined) throw new Error('no process is running');
    return node;
  }

  get #storage(): Storage {
    const [storage] = this.#storages;
    if (storage === undefined) throw new Error('no storage is open');
    return storage;
  }

  get dials(): number {
    return this.#dialed.length;
  }
}
