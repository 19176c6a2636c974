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
  refusal(400, 'invalid_json', 'the body is not JSON', async () => ({
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
  refusal(400, 'unknown_field', 'the body has an unknown field', post('/agents', { name: 'Anna', nickname: 'A' }), {
    param: 'nickname',
  }),
  refusal(400, 'unknown_field', 'the query has an unknown parameter', get('/agents?page=2'), { param: 'page' }),
  refusal(400, 'invalid_field', 'a field has the wrong type', post('/agents', { name: 7 }), { param: 'name' }),
  refusal(400, 'invalid_field', 'the body is not an object', post('/agents', []), { faults: [' invalid_field'] }),
  refusal(400, 'invalid_field', 'the page limit is out of range', get('/calls?limit=1001'), { param: 'limit' }),
  refusal(400, 'invalid_field', 'a query parameter is repeated', get('/calls?limit=1&limit=2'), { param: 'limit' }),
  refusal(
    400,
    'invalid_field',
    'an outbound call has both an inline and a saved agent',
    async (tenant) => {
      const json = { ...outbound, agent_id: (await tenant.newAgent()).id, agent: {} };
      return { method: 'POST', path: '/calls/outbound', json };
    },
    { param: 'agent' },
  ),
  refusal(
    400,
    'invalid_field',
    'the Idempotency-Key is empty',
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
    'the Idempotency-Key is too long',
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
    'a JSON schema is invalid',
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
    'the configuration of a tool does not match its type',
    post('/tool-templates', {
      name: 'Transfer',
      tool_type: 'transferCall',
      tool_config: { destinations: [] },
    }),
    { param: 'tool_config.destinations' },
  ),
  refusal(400, 'invalid_field', 'the provider is unknown', post('/byok', { provider: 'acme', api_key: 'k' }), {
    param: 'provider',
  }),
  refusal(400, 'invalid_phone_number', 'a phone number is invalid', post('/numbers', { phone_number: '12' }), {
    param: 'phone_number',
  }),
  refusal(
    400,
    'invalid_phone_number',
    'the destination of a call is invalid',
    post('/calls/outbound', {
      destination: 'home',
      agent: {},
    }),
    { param: 'destination' },
  ),
  refusal(
    400,
    'invalid_phone_number',
    'the destination of a transfer is invalid',
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
    'the time zone is unknown',
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
    'the agent of a number does not exist',
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
    'the agent of an outbound call does not exist',
    post('/calls/outbound', {
      ...outbound,
      agent_id: unknownId,
    }),
    reference,
  ),
  refusal(
    400,
    'invalid_reference',
    'the domain does not exist at the mail provider',
    post('/domains/sync', {
      domain_id: unknownId,
    }),
    { param: 'domain_id' },
  ),
  refusal(413, 'body_too_large', 'a body is larger than 1 MiB', post('/agents', { name: 'a'.repeat(1_048_576) })),
  refusal(413, 'body_too_large', 'a CSV file is larger than 10 MiB', async (tenant) => ({
    method: 'POST',
    path: `/campaigns/${(await tenant.newCampaign()).id}/leads/import`,
    headers: { 'content-type': 'text/csv' },
    body: `phone_number\n${'+31201234567\n'.repeat(810_000)}`,
  })),
  refusal(415, 'unsupported_media_type', 'the content type of a body is text/plain', async () => ({
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
