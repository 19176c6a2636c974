import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.ts';
import { storageKinds } from '../support/storages.ts';
import type { Tenant } from '../support/tenant.ts';
import { methodOf, pathOf } from './row.ts';
import { wholeAgent } from './rows/agents.ts';
import { rows } from './rows/all.ts';

interface Changeable {
  readonly path: string;
  /** The key that contains the resource; null when the body is the resource. */
  readonly wrap: string | null;
  make(tenant: Tenant): Promise<{ id: string }>;
  /** A new value for each field that can be updated. */
  readonly values: (tenant: Tenant) => Promise<Readonly<Record<string, unknown>>>;
  /** Fields that accept null; other fields refuse it. */
  readonly nullable: readonly string[];
}

const agents: Changeable = {
  path: '/agents',
  wrap: 'agent',
  make: (tenant) =>
    tenant.newAgent({ metadata: { a: 1 }, stt_config: { provider: 'scripted', model: 'm', language: 'nl' } }),
  values: async () => wholeAgent,
  nullable: [
    'business_name',
    'notification_email',
    'first_message',
    'webhook_url',
    'webhook_events',
    'analysis_plan',
    'stt_config',
    'llm_config',
    'tts_config',
    'speech_config',
    'silence_timeout_seconds',
    'voicemail_message',
    'budget',
    'metadata',
  ],
};

const numbers: Changeable = {
  path: '/numbers',
  wrap: 'number',
  make: async (tenant) => {
    const assignment = { agent_id: (await tenant.newAgent()).id, transfer_trunk_id: (await tenant.newTrunk()).id };
    return await tenant.newNumber({ name: 'Desk', ...assignment });
  },
  values: async (tenant) => ({
    name: 'Bar',
    agent_id: (await tenant.newAgent()).id,
    transfer_trunk_id: (await tenant.newTrunk()).id,
    is_active: false,
  }),
  nullable: ['name', 'agent_id', 'transfer_trunk_id'],
};

const trunks: Changeable = {
  path: '/sip-trunks',
  wrap: 'trunk',
  make: (tenant) =>
    tenant.newTrunk({
      auth_username: 'va',
      auth_password: 'hidden',
      numbers: ['+31201234567'],
      max_concurrent_calls: 5,
    }),
  values: async () => ({
    name: 'Other',
    provider: 'Other',
    address: '[2001:db8::1]:5061',
    auth_username: 'other',
    numbers: [],
    transport: 'tcp',
    max_concurrent_calls: 2,
    media_source: 'strict',
    is_active: false,
  }),
  nullable: ['auth_username', 'max_concurrent_calls', 'media_source'],
};

const toolTemplates: Changeable = {
  path: '/tool-templates',
  wrap: 'toolTemplate',
  make: (tenant) => tenant.newToolTemplate({ description: 'Ends it', tool_config: { message: 'Bye' } }),
  values: async () => ({ name: 'Other', description: 'Other', tool_config: { name: 'end' } }),
  nullable: ['description'],
};

const analysisTemplates: Changeable = {
  path: '/analysis-templates',
  wrap: null,
  make: (tenant) => tenant.newAnalysisTemplate({ description: 'How it went' }),
  values: async () => ({
    name: 'Other',
    description: 'Other',
    system_prompt: 'Other',
    user_prompt: 'Other',
    schema: { type: 'object', properties: { other: { type: 'number' } } },
    is_active: false,
  }),
  nullable: ['description'],
};

const campaigns: Changeable = {
  path: '/campaigns',
  wrap: 'campaign',
  make: (tenant) =>
    tenant.newCampaign({ start_date: '2099-01-01', calls_per_minute: 5, system_message_template: 'Hi' }),
  values: async (tenant) => ({
    name: 'Other',
    agent_id: (await tenant.newAgent()).id,
    number_id: (await tenant.newNumber()).id,
    system_message_template: 'Hello {{name}}',
    schedule_start_time: '08:00:00',
    schedule_end_time: '21:00:00',
    timezone: 'Asia/Tokyo',
    schedule_days: ['sat'],
    start_date: '2099-02-01',
    end_date: '2099-12-31',
    max_concurrent_calls: 1,
    calls_per_minute: 1,
    max_attempts: 1,
    retry_delay_seconds: 0,
    retry_on: [],
    status: 'scheduled',
  }),
  nullable: ['number_id', 'system_message_template', 'start_date', 'end_date', 'calls_per_minute'],
};

const resources = [agents, numbers, trunks, toolTemplates, analysisTemplates, campaigns];
const deletions = rows.filter(({ operation }) => operation.startsWith('DELETE '));

/** Fields that are derived from other fields. */
const derived = new Set(['updated_at', 'agent_name', 'business_name', 'transfer_trunk_name']);

describe.each(storageKinds)('updates and deletions on $name', (kind) => {
  let api: Api;
  let tenant: Tenant;
  beforeAll(async () => {
    api = await openApi(kind);
    tenant = await api.tenant();
  });
  afterAll(() => api.close());

  describe.each(resources)('PATCH $path/{id}', ({ path, wrap, make, values, nullable }) => {
    const unwrapped = (body: Record<string, object>): object => (wrap === null ? body : (body[wrap] ?? {}));

    it('changes each given field and no other', async () => {
      for (const [key, value] of Object.entries(await values(tenant))) {
        const { id } = await make(tenant);
        const before = Object.entries(unwrapped(await tenant.ok('GET', `${path}/${id}`)));
        const patched = unwrapped(await tenant.ok('PATCH', `${path}/${id}`, { [key]: value }));
        expect(patched).toMatchObject({ [key]: value });
        const kept = before.filter(
          ([name]) => name !== key && !(derived.has(name) && path !== '/agents') && name !== 'updated_at',
        );
        expect(patched, key).toMatchObject(Object.fromEntries(kept));
        // A nested value is replaced as a whole.
        expect(Object.entries(patched).find(([name]) => name === key)?.[1], key).toEqual(value);
        expect(unwrapped(await tenant.ok('GET', `${path}/${id}`))).toEqual(patched);
      }
    });

    it('clears nullable fields with null and refuses null for others', async () => {
      const { id } = await make(tenant);
      const shown = Object.keys(await values(tenant));
      for (const key of shown) {
        const reply = await tenant.send('PATCH', `${path}/${id}`, { json: { [key]: null } });
        expect([key, reply.status]).toEqual([key, nullable.includes(key) ? 200 : 400]);
        if (reply.status === 200) expect(unwrapped(reply.body)).toMatchObject({ [key]: null });
        else expect(reply.body.param).toBe(key);
      }
    });

    it('changes only updated_at when the body is empty', async () => {
      const { id } = await make(tenant);
      const before = unwrapped(await tenant.ok('GET', `${path}/${id}`));
      const after = unwrapped(await tenant.ok('PATCH', `${path}/${id}`, {}));
      const updatedAt = { updated_at: expect.any(String) };
      expect(after).toEqual({ ...before, ...updatedAt });
    });

    it('changes nothing when one field is refused', async () => {
      const { id } = await make(tenant);
      const before = await tenant.ok('GET', `${path}/${id}`);
      const json = { name: 'Other', is_active: 'no', colour: 1 };
      expect((await tenant.send('PATCH', `${path}/${id}`, { json })).status).toBe(400);
      expect(await tenant.ok('GET', `${path}/${id}`)).toEqual(before);
    });
  });

  it.each(deletions)('$operation returns 200 the first time and 404 afterwards', async (row) => {
    const own = await api.tenant();
    const request = await row.request(own);
    const path = pathOf(row, request);
    const method = methodOf(row);
    const [first, second] = [await own.send(method, path, request), await own.send(method, path, request)];
    expect([first.status, first.body.success, second.status]).toEqual([200, true, 404]);
    const got = await own.send('GET', path);
    if (got.status !== 405 && !path.startsWith('/domains') && !path.startsWith('/byok')) expect(got.status).toBe(404);
  });

  it('deleting an agent unassigns its numbers and pauses its campaigns', async () => {
    const agent = await tenant.newAgent();
    const number = await tenant.newNumber({ agent_id: agent.id });
    // A start date in the future keeps the scheduler idle.
    const campaign = await tenant.newCampaign({ agent_id: agent.id, start_date: '2099-01-01' });
    await tenant.ok('PATCH', `/campaigns/${campaign.id}`, { status: 'scheduled' });
    await tenant.ok('DELETE', `/agents/${agent.id}`);
    expect((await tenant.ok('GET', `/numbers/${number.id}`)).number).toMatchObject({
      agent_id: null,
      agent_name: null,
    });
    const paused = { status: 'paused', agent_id: null, status_reason: expect.stringMatching(/agent/) };
    expect((await tenant.ok('GET', `/campaigns/${campaign.id}`)).campaign).toMatchObject(paused);
  });

  it('deleting a trunk unassigns it from its numbers', async () => {
    const trunk = await tenant.newTrunk();
    const number = await tenant.newNumber({ transfer_trunk_id: trunk.id });
    await tenant.ok('DELETE', `/sip-trunks/${trunk.id}`);
    const left = { transfer_trunk_id: null, transfer_trunk_name: null };
    expect((await tenant.ok('GET', `/numbers/${number.id}`)).number).toMatchObject(left);
  });

  it('a lead is found only in its own campaign', async () => {
    const [campaign, another] = [await tenant.newCampaign(), await tenant.newCampaign()];
    const lead = await tenant.newLead(campaign.id);
    const elsewhere = await tenant.send('DELETE', `/campaigns/${another.id}/leads/${lead.id}`);
    expect([elsewhere.status, elsewhere.body.code]).toEqual([404, 'lead_not_found']);
    await tenant.ok('DELETE', `/campaigns/${campaign.id}/leads/${lead.id}`);
  });

  it('cancelling a campaign skips its pending leads, and deleting it deletes them', async () => {
    const campaign = await tenant.newCampaign();
    const lead = await tenant.newLead(campaign.id);
    await tenant.ok('PATCH', `/campaigns/${campaign.id}`, { status: 'cancelled' });
    const { leads } = await tenant.ok('GET', `/campaigns/${campaign.id}/leads`);
    expect(leads).toMatchObject([{ id: lead.id, status: 'skipped' }]);
    await tenant.ok('DELETE', `/campaigns/${campaign.id}`);
    expect(await api.storage.leads.count(tenant.orgId, { where: { campaign_id: campaign.id } })).toBe(0);
  });

  it.each([
    ['draft', ['scheduled', 'cancelled']],
    ['scheduled', ['paused', 'cancelled']],
    ['running', ['paused', 'cancelled']],
    ['paused', ['scheduled', 'cancelled']],
    ['completed', []],
    ['cancelled', []],
  ] as const)('a %s campaign can change to %j', async (from, allowed) => {
    for (const status of ['scheduled', 'paused', 'cancelled', 'draft', 'running', 'completed'] as const) {
      const { id } = await tenant.newCampaign();
      await api.storage.campaigns.update(tenant.orgId, id, { status: from });
      const reply = await tenant.send('PATCH', `/campaigns/${id}`, { json: { status } });
      const isCallers = status === 'scheduled' || status === 'paused' || status === 'cancelled';
      const expected = !isCallers ? 400 : allowed.some((each) => each === status) ? 200 : 409;
      expect([status, reply.status]).toEqual([status, expected]);
    }
  });
});
