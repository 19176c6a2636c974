import {
  type Call,
  type Campaign,
  createVoiceAgents,
  type Lead,
  type NewLead,
  type VoiceAgents,
  type VoiceAgentsOptions,
} from '@va/core';
import type { OrganizationRecord } from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import {
  levelVad,
  type ScriptedLlm,
  type ScriptedOutgoingCall,
  ScriptedTelephony,
  ScriptedWebhooks,
  saying,
  scriptedLlm,
  scriptedStt,
  scriptedTts,
  silentLogger,
} from '@va/testkit';
import { PromiseClock } from '../support/promise-clock.ts';

const speaking = {
  stt_config: { provider: 'scripted' },
  llm_config: { provider: 'scripted', messages: [{ role: 'system', content: 'Be brief.' }] },
  tts_config: { provider: 'scripted' },
  voicemail_detection: false,
  recording_enabled: false,
  // Keeps a call with a silent callee connected.
  speech_config: { silence: { timeout_ms: 600_000 } },
};

const hours = { schedule_start_time: '09:00', schedule_end_time: '17:00', timezone: 'UTC', retry_on: [] };

let numbers = 0;

/** A complete service in virtual time with a scripted telephony adapter; starts on Thursday 2026-01-15 at 10:00 UTC. */
export class CampaignService {
  readonly clock = new PromiseClock(new Date('2026-01-15T10:00:00.000Z'));
  readonly telephony = new ScriptedTelephony();
  readonly webhooks = new ScriptedWebhooks();
  readonly llm: ScriptedLlm = scriptedLlm([saying('All right.')]);
  readonly storage = memory();
  readonly va: VoiceAgents;
  readonly updates: Campaign[] = [];
  orgId = '';
  agentId = '';
  trunkId = '';

  constructor(options: Partial<VoiceAgentsOptions> = {}) {
    this.va = createVoiceAgents({
      storage: this.storage,
      // Other processes of the machine may delay this one.
      limits: { maxEventLoopLagMs: Number.POSITIVE_INFINITY },
      providers: [scriptedStt(), this.llm, scriptedTts()],
      webhooks: this.webhooks,
      telephony: [this.telephony],
      vad: levelVad(),
      logger: silentLogger,
      clock: this.clock,
      mediaTimeout: { initialMs: 3_600_000, generalMs: 3_600_000 },
      ...options,
    });
    this.va.events.on('campaign.updated', ({ campaign }) => this.updates.push(campaign));
  }

  async start(agent: Record<string, unknown> = {}): Promise<this> {
    await this.va.start();
    this.orgId = (await this.va.operations.organizations.ensureDefault()).id;
    await this.newLine(agent);
    return this;
  }

  /** Creates an agent with a number and a trunk; `orgId` selects another organization. */
  async newLine(agent: Record<string, unknown> = {}, orgId = this.orgId): Promise<string> {
    const { operations } = this.va;
    numbers += 1;
    const phoneNumber = `+3120${1_000_000 + numbers}`;
    const { id } = await operations.agents.create(orgId, { name: 'Anna', ...speaking, ...agent });
    await operations.numbers.register(orgId, { phone_number: phoneNumber, agent_id: id });
    const trunk = { name: 'Main', provider: 'acme', address: 'sip.example.com', numbers: [phoneNumber] };
    const { id: trunkId } = await operations.trunks.create(orgId, trunk);
    if (orgId === this.orgId) [this.agentId, this.trunkId] = [id, trunkId];
    return id;
  }

  async organization(changes: Partial<OrganizationRecord>): Promise<void> {
    await this.va.operations.organizations.update(this.orgId, changes);
  }

  /** Creates and starts a campaign with a number of generated leads, or with the given leads. */
  async campaign(
    leads: number | readonly NewLead[],
    changes: Record<string, unknown> = {},
    orgId = this.orgId,
  ): Promise<string> {
    const { campaigns, leads: operations } = this.va.operations;
    const given = { name: 'Spring', agent_id: this.agentId, ...hours, ...changes };
    const { id } = await campaigns.create(orgId, given);
    const list =
      typeof leads === 'number' ? Array.from({ length: leads }, (_, n) => ({ phone_number: lead(n) })) : leads;
    if (list.length > 0) await operations.addMany(orgId, id, { leads: list });
    await campaigns.update(orgId, id, { status: 'scheduled' });
    await this.clock.advance(0);
    return id;
  }

  async get(id: string, orgId = this.orgId): Promise<Campaign> {
    return await this.va.operations.campaigns.get(orgId, id);
  }

  async leads(id: string): Promise<Lead[]> {
    return (await this.va.operations.leads.list(this.orgId, id, { limit: 1_000 })).leads;
  }

  async calls(): Promise<Call[]> {
    return (await this.va.operations.calls.list(this.orgId, { limit: 1_000 })).calls;
  }

  /** Outbound calls that have not ended, ringing ones included. */
  get live(): ScriptedOutgoingCall[] {
    return this.telephony.dialed.filter(({ end }) => end === null);
  }

  get dialed(): string[] {
    return this.telephony.dialed.map(({ request }) => request.destination);
  }

  /** Answers a call and hangs up after `ms`. */
  async talk(call: ScriptedOutgoingCall | undefined, ms = 2_000): Promise<void> {
    call?.pickUp();
    await this.clock.advance(ms);
    call?.leave();
    await this.clock.advance(20);
  }

  async refuse(
    call: ScriptedOutgoingCall | undefined,
    why: Parameters<ScriptedOutgoingCall['refuse']>[0],
  ): Promise<void> {
    call?.refuse(why);
    await this.clock.advance(20);
  }

  async close(): Promise<void> {
    const closing = this.va.close({ drainMs: 0 });
    await this.clock.advance(60_000);
    await closing;
  }
}

export function lead(n: number): string {
  return `+3161234${String(n).padStart(4, '0')}`;
}
