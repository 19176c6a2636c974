import type { Call } from '@va/core';
import { type CallRecord, collectionSchemas, type RecordTypes, timestamp, uuidv7 } from '@va/core/adapter';
import { type ScriptedIncomingCall, sampleCall } from '@va/testkit';
import { vi } from 'vitest';
import type { Api } from './api.ts';
import type { Reply, Sent } from './exchange.ts';

export interface TenantRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly body?: Sent['body'];
  readonly key?: string;
  /** True to disconnect once an event stream has begun. */
  readonly leavesStreams?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came
type Json = any;

let phoneNumbers = 0;

/** Returns a new phone number each time. */
export function newPhoneNumber(): string {
  phoneNumbers += 1;
  return `+3120${String(1_000_000 + phoneNumbers)}`;
}

/** One organization, and the records that a test creates in it. */
export class Tenant {
  readonly api: Api;
  readonly orgId: string;
  readonly key: string;

  private constructor(api: Api, orgId: string, key: string) {
    this.api = api;
    this.orgId = orgId;
    this.key = key;
  }

  static async create(api: Api): Promise<Tenant> {
    const { organizations, apiKeys } = api.va.operations;
    const { id } = await organizations.create({ name: 'Harbour' });
    const { secret } = await apiKeys.issue(id, { name: 'test' });
    return new Tenant(api, id, secret);
  }

  async send(method: string, path: string, options: TenantRequest = {}): Promise<Reply> {
    const {
      headers = {},
      leavesStreams = false,
      json,
      body = json === undefined ? undefined : JSON.stringify(json),
    } = options;
    const typed: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' };
    const authorization = `Bearer ${options.key ?? this.key}`;
    const sent = { method, path, headers: { authorization, ...typed, ...headers }, leavesStreams };
    return await this.api.send(body === undefined ? sent : { ...sent, body });
  }

  /** Returns the body of a successful response; throws for any other. */
  async ok(method: string, path: string, json?: unknown): Promise<Json> {
    const reply = await this.send(method, path, json === undefined ? {} : { json });
    if (reply.status >= 300) throw new Error(`${method} ${path} returned ${reply.status}: ${reply.text}`);
    return reply.body;
  }

  async newAgent(changes: object = {}): Promise<Json> {
    const body = { name: 'Anna', webhook_url: this.api.customer.url, ...speaking, ...changes };
    return (await this.ok('POST', '/agents', body)).agent;
  }

  async newNumber(changes: object = {}): Promise<Json> {
    return (await this.ok('POST', '/numbers', { phone_number: newPhoneNumber(), ...changes })).number;
  }

  async newTrunk(changes: object = {}): Promise<Json> {
    return (
      await this.ok('POST', '/sip-trunks', { name: 'Main', provider: 'Acme', address: 'sip.example.com', ...changes })
    ).trunk;
  }

  async newToolTemplate(changes: object = {}): Promise<Json> {
    const body = { name: 'Hang up', tool_type: 'endCall', tool_config: {}, ...changes };
    return (await this.ok('POST', '/tool-templates', body)).toolTemplate;
  }

  async newAnalysisTemplate(changes: object = {}): Promise<Json> {
    return await this.ok('POST', '/analysis-templates', { ...analysisTemplate, ...changes });
  }

  async newCampaign(changes: object = {}): Promise<Json> {
    const agentId = 'agent_id' in changes ? changes.agent_id : (await this.newAgent()).id;
    // A start date in the future keeps the scheduler idle at any time of day.
    const later = { start_date: '2099-01-01' };
    return (await this.ok('POST', '/campaigns', { ...campaign, ...later, agent_id: agentId, ...changes })).campaign;
  }

  async newLead(campaignId: string, changes: object = {}): Promise<Json> {
    const body = { phone_number: newPhoneNumber(), ...changes };
    return (await this.ok('POST', `/campaigns/${campaignId}/leads`, body)).lead;
  }

  async newDoNotCall(changes: object = {}): Promise<Json> {
    return (await this.ok('POST', '/do-not-call', { phone_number: newPhoneNumber(), ...changes })).entry;
  }

  async newDomain(): Promise<Json> {
    return await this.ok('POST', '/domains', { domain_name: newDomainName() });
  }

  /** Creates a key for pages of `https://www.example.com`, by default for an agent of its own. */
  async newPublishableKey(changes: object = {}): Promise<Json> {
    const agents = 'agents' in changes ? changes.agents : [(await this.newAgent()).id];
    const body = { name: 'Site', origins: ['https://www.example.com'], agents, ...changes };
    return (await this.ok('POST', '/publishable-keys', body)).publishable_key;
  }

  /** Creates a number that can place calls, with its agent and trunk. */
  async newLine(): Promise<{ agent: Json; number: Json; trunk: Json }> {
    const agent = await this.newAgent();
    const number = await this.newNumber({ agent_id: agent.id });
    const trunk = await this.newTrunk({ numbers: [number.number] });
    return { agent, number, trunk };
  }

  /** Stores a past call. */
  async addCall(changes: Partial<Call> = {}): Promise<Call> {
    const call = pastCall(this.api, changes);
    await this.api.storage.calls.insert(this.orgId, call);
    return call;
  }

  async addUsage(changes: Partial<RecordTypes['usageLogs']> = {}): Promise<RecordTypes['usageLogs']> {
    const log = { ...pastUsage(this.api), ...changes };
    await this.api.storage.usageLogs.insert(this.orgId, log);
    return log;
  }

  async addStatistics(changes: Partial<RecordTypes['callStatistics']> = {}): Promise<void> {
    await this.api.storage.callStatistics.insert(this.orgId, { ...pastStatistics(this.api), ...changes });
  }

  async addDelivery(
    changes: Partial<RecordTypes['webhookDeliveries']> = {},
  ): Promise<RecordTypes['webhookDeliveries']> {
    const delivery = { ...pastDelivery(this.api), ...changes };
    await this.api.storage.webhookDeliveries.insert(this.orgId, delivery);
    return delivery;
  }

  /** Starts a call that is in progress. */
  async newLiveCall(): Promise<{ id: string; caller: ScriptedIncomingCall }> {
    const silence = { timeout_ms: 600_000 };
    const agent = await this.newAgent({ webhook_url: null, speech_config: { silence } });
    const number = await this.newNumber({ agent_id: agent.id });
    const caller = this.api.telephony.ring(number.number);
    const id = await vi.waitFor(
      async () => {
        const { calls } = await this.ok('GET', `/calls?status=in-progress&number_id=${number.id}`);
        if (calls.length !== 1) throw new Error('the call was not answered');
        return calls[0].id;
      },
      { interval: 10 },
    );
    return { id, caller };
  }
}

let domains = 0;

export function newDomainName(): string {
  domains += 1;
  return `mail${domains}.example.com`;
}

const speaking = {
  stt_config: { provider: 'scripted' },
  llm_config: { provider: 'scripted', messages: [{ role: 'system', content: 'Be brief.' }] },
  tts_config: { provider: 'scripted' },
};

export const analysisTemplate = {
  name: 'Summary',
  system_prompt: 'Read the call.',
  user_prompt: 'Of {transcript}',
  schema: {
    type: 'object',
    properties: { mood: { type: 'string', description: 'How it went', enum: ['good', 'bad'] } },
  },
};

export const campaign = {
  name: 'Spring',
  schedule_start_time: '09:00',
  schedule_end_time: '17:30:00',
  timezone: 'Europe/Amsterdam',
};

function pastCall({ clock }: Api, changes: Partial<Call>): CallRecord {
  const now = timestamp(clock);
  return sampleCall({
    id: uuidv7(clock),
    status: 'ended',
    started_at: now,
    answered_at: now,
    ended_at: now,
    duration_seconds: 30,
    summary: 'A table was booked.',
    analysis_result: { mood: 'good' },
    analysis_status: 'completed',
    messages: [
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'Goodbye.' },
    ],
    agent_name: 'Anna',
    business_name: 'Harbour',
    end_reason: 'user_hangup',
    metadata: { table: 12 },
    cost: 0.25,
    latency: {
      turns: [
        {
          total_ms: 600,
          endpointing_ms: 500,
          stt_final_ms: 20,
          first_audio_ms: 90,
          llm_first_token_ms: 50,
          tts_first_byte_ms: null,
        },
      ],
      total_ms: { p50: 600, p95: 600 },
      interruptions_ms: [520],
    },
    media: {
      received: { packets: 1_500, packets_lost: 3, packets_dropped: 1, jitter_ms: 4.2 },
      sent: { packets: 1_498, packets_lost: 0, jitter_ms: null },
      round_trip_ms: 38.5,
    },
    created_at: now,
    updated_at: now,
    ...changes,
  });
}

function pastUsage({ clock }: Api): RecordTypes['usageLogs'] {
  return {
    id: uuidv7(clock),
    call_id: uuidv7(clock),
    agent_id: null,
    agent_name: 'Anna',
    business_name: 'Harbour',
    phone_number: '+31201234567',
    call_type: 'phone',
    direction: 'inbound',
    duration_seconds: 90,
    minutes_used: 1.5,
    cost: 0.25,
    cost_breakdown: [],
    currency: 'EUR',
    publishable_key_id: null,
    created_at: timestamp(clock),
  };
}

function pastStatistics({ clock }: Api): RecordTypes['callStatistics'] {
  const created_at = timestamp(clock);
  const fields = collectionSchemas.find(({ name }) => name === 'callStatistics')?.fields ?? [];
  const numbers = fields.flatMap(({ name, kind }) => (kind === 'integer' ? [[name, 0]] : []));
  return {
    ...(Object.fromEntries(numbers) as RecordTypes['callStatistics']),
    id: uuidv7(clock),
    agent_id: null,
    campaign_id: null,
    day: created_at.slice(0, 10),
    direction: 'inbound',
    end_reason: 'user_hangup',
    answered: 1,
    duration_seconds: 90,
    cost: 0.25,
    created_at,
  };
}

function pastDelivery(api: Api): RecordTypes['webhookDeliveries'] {
  const now = timestamp(api.clock);
  return {
    id: uuidv7(api.clock),
    webhook_id: `msg_${uuidv7(api.clock)}`,
    agent_id: null,
    call_id: null,
    event: 'status-update',
    url: api.customer.url,
    status: 'delivered',
    status_code: 200,
    attempts: [{ at: now, status_code: 200, latency_ms: 3.5, error: null }],
    payload: { message: { type: 'status-update' } },
    created_at: now,
    updated_at: now,
    delivered_at: now,
  };
}
