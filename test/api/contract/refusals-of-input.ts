import { newPhoneNumber } from '../support/tenant.ts';
import { type Refusal, type RefusedRequest, refusal, unknownId } from './refusal.ts';

const post =
  (path: string, json: unknown): Refusal['provoke'] =>
  async (): Promise<RefusedRequest> => ({ method: 'POST', path, json });

const get =
  (path: string): Refusal['provoke'] =>
  async () => ({ method: 'GET', path });

const outbound = { destination: '+31201234567' };
const reference = { param: 'agent_id', faults: ['agent_id invalid_reference'] };

export const refusalsOfInput: readonly Refusal[] = [
  refusal(400, 'invalid_json', 'the body is no JSON', async () => ({
    method: 'POST',
    path: '/agents',
    headers: { 'content-type': 'application/json' },
    body: '{"name":',
  })),
  refusal(400, 'invalid_json', 'the body is not UTF-8', async () => ({
    method: 'POST',
    path: '/agents',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from([0x22, 0xff, 0x22]),
  })),
  refusal(400, 'missing_field', 'a required field is missing', post('/agents', {}), { param: 'name' }),
  refusal(400, 'missing_field', 'an outbound call has no agent', post('/calls/outbound', outbound), {
    param: 'agent_id',
  }),
  refusal(400, 'unknown_field', 'there is no such field', post('/agents', { name: 'Anna', nickname: 'A' }), {
    param: 'nickname',
  }),
  refusal(400, 'unknown_field', 'there is no such query parameter', get('/agents?page=2'), { param: 'page' }),
  refusal(400, 'invalid_field', 'a field is of another type', post('/agents', { name: 7 }), { param: 'name' }),
  refusal(400, 'invalid_field', 'the body is no object', post('/agents', []), { faults: [' invalid_field'] }),
  refusal(400, 'invalid_field', 'a page is out of range', get('/calls?limit=1001'), { param: 'limit' }),
  refusal(400, 'invalid_field', 'a query parameter comes twice', get('/calls?limit=1&limit=2'), { param: 'limit' }),
  refusal(
    400,
    'invalid_field',
    'an inline agent comes with a saved one',
    async (tenant) => {
      const json = { ...outbound, agent_id: (await tenant.newAgent()).id, agent: {} };
      return { method: 'POST', path: '/calls/outbound', json };
    },
    { param: 'agent' },
  ),
  refusal(
    400,
    'invalid_field',
    'an Idempotency-Key has no characters',
    async () => ({
      method: 'POST',
      path: '/agents',
      json: { name: 'Anna' },
      headers: { 'idempotency-key': '' },
    }),
    { param: 'Idempotency-Key' },
  ),
  refusal(
    400,
    'invalid_field',
    'an Idempotency-Key is too long',
    async () => ({
      method: 'POST',
      path: '/agents',
      json: { name: 'Anna' },
      headers: { 'idempotency-key': 'k'.repeat(256) },
    }),
    { param: 'Idempotency-Key' },
  ),
  refusal(
    400,
    'invalid_field',
    'a campaign ends before it starts',
    async (tenant) => ({
      method: 'POST',
      path: '/campaigns',
      json: {
        name: 'Late',
        agent_id: (await tenant.newAgent()).id,
        schedule_start_time: '17:00',
        schedule_end_time: '17:00:00',
        timezone: 'UTC',
      },
    }),
    { param: 'schedule_end_time' },
  ),
  refusal(
    400,
    'invalid_field',
    'a schema is no schema',
    post('/analysis-templates', {
      name: 'Odd',
      system_prompt: 'a',
      user_prompt: 'b',
      schema: { type: 'object', properties: { mood: { type: 'feeling' } } },
    }),
    {
      param: null,
      faults: [
        'schema.properties.mood.type invalid_field',
        'schema.properties.mood.type invalid_field',
        'schema.properties.mood.type invalid_field',
      ],
    },
  ),
  refusal(
    400,
    'invalid_field',
    'a tool does not fit its type',
    post('/tool-templates', {
      name: 'Transfer',
      tool_type: 'transferCall',
      tool_config: { destinations: [] },
    }),
    { param: 'tool_config.destinations' },
  ),
  refusal(400, 'invalid_field', 'there is no such provider', post('/byok', { provider: 'acme', api_key: 'k' }), {
    param: 'provider',
  }),
  refusal(400, 'invalid_phone_number', 'a number is none', post('/numbers', { phone_number: '12' }), {
    param: 'phone_number',
  }),
  refusal(
    400,
    'invalid_phone_number',
    'a destination is none',
    post('/calls/outbound', {
      destination: 'home',
      agent: {},
    }),
    { param: 'destination' },
  ),
  refusal(
    400,
    'invalid_phone_number',
    'a call is transferred to what is no number',
    async (tenant) => ({
      method: 'POST',
      path: `/calls/${(await tenant.addCall()).id}/control`,
      json: { type: 'transfer', destination: 'home' },
    }),
    { param: 'destination' },
  ),
  refusal(
    400,
    'invalid_timezone',
    'there is no such zone',
    async (tenant) => ({
      method: 'PATCH',
      path: `/campaigns/${(await tenant.newCampaign()).id}`,
      json: { timezone: 'Europe/Atlantis' },
    }),
    { param: 'timezone' },
  ),
  refusal(
    400,
    'invalid_reference',
    'there is no such agent',
    async () => ({
      method: 'POST',
      path: '/numbers',
      json: { phone_number: newPhoneNumber(), agent_id: unknownId },
    }),
    reference,
  ),
  refusal(
    400,
    'invalid_reference',
    'there is no such agent to call',
    post('/calls/outbound', {
      ...outbound,
      agent_id: unknownId,
    }),
    reference,
  ),
  refusal(
    400,
    'invalid_reference',
    'there is no such domain',
    post('/domains/sync', {
      domain_id: unknownId,
    }),
    { param: 'domain_id' },
  ),
  refusal(413, 'body_too_large', 'a body has more than 1 MiB', post('/agents', { name: 'a'.repeat(1_048_576) })),
  refusal(413, 'body_too_large', 'a CSV file has more than 10 MiB', async (tenant) => ({
    method: 'POST',
    path: `/campaigns/${(await tenant.newCampaign()).id}/leads/import`,
    headers: { 'content-type': 'text/csv' },
    body: `phone_number\n${'+31201234567\n'.repeat(810_000)}`,
  })),
  refusal(415, 'unsupported_media_type', 'a body is said to be text', async () => ({
    method: 'POST',
    path: '/agents',
    headers: { 'content-type': 'text/plain' },
    body: '{"name":"Anna"}',
  })),
  refusal(415, 'unsupported_media_type', 'a body is compressed', async () => ({
    method: 'POST',
    path: '/agents',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: 'x',
  })),
];
