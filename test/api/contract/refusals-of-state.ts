import { newDomainName, newPhoneNumber, type Tenant } from '../support/tenant.ts';
import { type Refusal, refusal } from './refusal.ts';

const bearer = { 'www-authenticate': /^Bearer/ };

const withKey =
  (key: (tenant: Tenant) => Promise<string>): Refusal['provoke'] =>
  async (tenant) => ({ method: 'GET', path: '/agents', key: await key(tenant) });

async function outbound(
  tenant: Tenant,
  change: (line: { agent: { id: string }; number: { id: string } }) => Promise<unknown>,
) {
  const line = await tenant.newLine();
  await change(line);
  const json = { destination: '+31201234567', agent_id: line.agent.id };
  return { method: 'POST', path: '/calls/outbound', json };
}

async function web(tenant: Tenant, changes: object = {}) {
  const { id } = await tenant.newAgent(changes);
  return { method: 'POST', path: '/calls/web', json: { agent_id: id } };
}

const mailFault =
  (...faults: Parameters<Tenant['api']['mail']['failNext']>): Refusal['provoke'] =>
  async (tenant) => {
    tenant.api.mail.failNext(...faults);
    return { method: 'GET', path: '/domains/sync' };
  };

export const refusalsOfState: readonly Refusal[] = [
  refusal(
    401,
    'unauthorized',
    'the API key is unknown',
    withKey(async () => `va_live_${'x'.repeat(43)}`),
    { headers: bearer },
  ),
  refusal(
    401,
    'unauthorized',
    'the authorization is not a bearer token',
    async () => ({
      method: 'GET',
      path: '/agents',
      headers: { authorization: 'Basic dXNlcjpwYXNz' },
    }),
    { headers: bearer },
  ),
  refusal(
    401,
    'api_key_expired',
    'the API key has expired',
    withKey(async (tenant) => {
      const inAMinute = new Date(tenant.api.clock.wallMs() + 60_000).toISOString();
      const { secret } = await tenant.ok('POST', '/api-keys', { name: 'Brief', expires_at: inAMinute });
      tenant.api.clock.putForward(61_000);
      return secret;
    }),
    { headers: bearer },
  ),
  refusal(
    401,
    'api_key_revoked',
    'the API key was revoked',
    withKey(async (tenant) => {
      const { secret, api_key } = await tenant.ok('POST', '/api-keys', { name: 'Old' });
      await tenant.ok('DELETE', `/api-keys/${api_key.id}`);
      return secret;
    }),
    { headers: bearer },
  ),
  refusal(402, 'insufficient_credits', 'there are no minutes left', (tenant) =>
    outbound(tenant, () => tenant.api.va.operations.organizations.update(tenant.orgId, { minutes_balance: 0 })),
  ),
  refusal(402, 'insufficient_credits', 'there are no minutes left for a web call', async (tenant) => {
    await tenant.api.va.operations.organizations.update(tenant.orgId, { minutes_balance: 0 });
    return await web(tenant);
  }),
  refusal(
    403,
    'forbidden',
    'the API key does not have the scope',
    withKey(async (tenant) => {
      return (await tenant.ok('POST', '/api-keys', { name: 'Caller', scopes: ['calls:read'] })).secret;
    }),
  ),
  refusal(403, 'forbidden', 'a key issues another one with scopes that it does not have', async (tenant) => {
    const { secret } = await tenant.ok('POST', '/api-keys', { name: 'Keeper', scopes: ['api-keys:write'] });
    return { method: 'POST', path: '/api-keys', json: { name: 'All' }, key: secret };
  }),
  refusal(403, 'forbidden', 'a key that may begin no calls creates a publishable key', async (tenant) => {
    const { id } = await tenant.newAgent();
    const { secret } = await tenant.ok('POST', '/api-keys', { name: 'Keeper', scopes: ['api-keys:write'] });
    const json = { name: 'Site', agents: [id], origins: ['https://www.example.com'] };
    return { method: 'POST', path: '/publishable-keys', json, key: secret };
  }),
  refusal(404, 'route_not_found', 'no route matches the path', async () => ({ method: 'GET', path: '/agent' })),
  refusal(404, 'recording_not_found', 'a call has no recording', async (tenant) => ({
    method: 'GET',
    path: `/calls/${(await tenant.addCall()).id}/recording`,
  })),
  refusal(404, 'byok_key_not_found', 'the organization has no key of the provider', async () => ({
    method: 'DELETE',
    path: '/byok/openai',
  })),
  refusal(404, 'domain_not_found', 'the organization has no domain', async () => ({
    method: 'POST',
    path: '/domains/verify',
  })),
  refusal(
    405,
    'method_not_allowed',
    'the path does not support the method',
    async () => ({ method: 'PUT', path: '/agents' }),
    {
      headers: { allow: /^GET, HEAD, POST, OPTIONS$/ },
    },
  ),
  refusal(
    409,
    'phone_number_exists',
    'the number is already registered',
    async (tenant) => ({
      method: 'POST',
      path: '/numbers',
      json: { phone_number: (await tenant.newNumber()).number },
    }),
    { param: 'phone_number' },
  ),
  refusal(409, 'domain_exists', 'the organization already has a domain', async (tenant) => {
    await tenant.newDomain();
    return { method: 'POST', path: '/domains', json: { domain_name: newDomainName() } };
  }),
  refusal(409, 'number_in_use', 'a running campaign dials from the number', async (tenant) => {
    const { id } = await tenant.newNumber();
    const { id: campaignId } = await tenant.newCampaign({ number_id: id });
    await tenant.api.storage.campaigns.update(tenant.orgId, campaignId, { status: 'running' });
    return { method: 'DELETE', path: `/numbers/${id}` };
  }),
  refusal(409, 'call_active', 'the call is still active', async (tenant) => ({
    method: 'DELETE',
    path: `/calls/${(await tenant.newLiveCall()).id}`,
  })),
  refusal(409, 'call_not_active', 'the call has ended', async (tenant) => ({
    method: 'POST',
    path: `/calls/${(await tenant.addCall()).id}/control`,
    json: { type: 'end-call' },
  })),
  refusal(409, 'agent_inactive', 'the agent is inactive', (tenant) =>
    outbound(tenant, ({ agent }) => tenant.ok('PATCH', `/agents/${agent.id}`, { is_active: false })),
  ),
  refusal(409, 'campaign_invalid_transition', 'a draft is paused', async (tenant) => ({
    method: 'PATCH',
    path: `/campaigns/${(await tenant.newCampaign()).id}`,
    json: { status: 'paused' },
  })),
  refusal(409, 'campaign_not_editable', 'a running campaign is updated', async (tenant) => {
    const { id } = await tenant.newCampaign();
    await tenant.api.storage.campaigns.update(tenant.orgId, id, { status: 'running' });
    return { method: 'PATCH', path: `/campaigns/${id}`, json: { name: 'Other' } };
  }),
  refusal(409, 'campaign_not_editable', 'a scheduled campaign is deleted', async (tenant) => {
    const { id } = await tenant.newCampaign();
    await tenant.ok('PATCH', `/campaigns/${id}`, { status: 'scheduled' });
    return { method: 'DELETE', path: `/campaigns/${id}` };
  }),
  refusal(409, 'lead_in_progress', 'a lead is being called', async (tenant) => {
    const { id } = await tenant.newCampaign();
    const lead = await tenant.newLead(id);
    await tenant.api.storage.leads.update(tenant.orgId, lead.id, { status: 'calling' });
    return { method: 'DELETE', path: `/campaigns/${id}/leads/${lead.id}` };
  }),
  refusal(
    409,
    'duplicate_lead',
    'the campaign already has the number',
    async (tenant) => {
      const { id } = await tenant.newCampaign();
      const { phone_number } = await tenant.newLead(id);
      return { method: 'POST', path: `/campaigns/${id}/leads`, json: { phone_number } };
    },
    { param: 'phone_number' },
  ),
  refusal(
    409,
    'idempotency_in_progress',
    'the same command is in progress',
    async (tenant) => {
      const { id } = await tenant.newLiveCall();
      const command = { id: (await tenant.addCall()).id, call_id: id, command_id: 'one', type: 'say', command: {} };
      const created_at = new Date(tenant.api.clock.wallMs()).toISOString();
      await tenant.api.storage.callCommands.insert(tenant.orgId, {
        ...command,
        answer: null,
        ...{ node_id: null, traceparent: null },
        created_at,
      });
      return { method: 'POST', path: `/calls/${id}/control`, json: { type: 'say', content: 'Hi', command_id: 'one' } };
    },
    { headers: { 'retry-after': /^1$/ } },
  ),
  refusal(
    416,
    'range_not_satisfiable',
    'a range starts after the end of the recording',
    async (tenant) => {
      const { id } = await tenant.addCall();
      tenant.api.recordings.recorded.add(id);
      return { method: 'GET', path: `/calls/${id}/recording`, headers: { range: 'bytes=1000-' } };
    },
    { headers: { 'content-range': /^bytes \*\/1000$/ } },
  ),
  refusal(422, 'idempotency_key_reused', 'the same Idempotency-Key was used with a different body', async (tenant) => {
    const headers = { 'idempotency-key': 'one' };
    await tenant.send('POST', '/agents', { json: { name: 'Anna' }, headers });
    return { method: 'POST', path: '/agents', json: { name: 'Bob' }, headers };
  }),
  refusal(409, 'agent_inactive', 'the agent of a web call is not active', (tenant) =>
    web(tenant, { is_active: false }),
  ),
  refusal(422, 'agent_incomplete', 'the agent of a web call has no voice', (tenant) =>
    web(tenant, { tts_config: null }),
  ),
  refusal(422, 'no_outbound_number', 'there is no number to call from', async (tenant) => ({
    method: 'POST',
    path: '/calls/outbound',
    json: { destination: '+31201234567', agent_id: (await tenant.newAgent()).id },
  })),
  refusal(422, 'agent_incomplete', 'the agent has no text-to-speech provider', (tenant) =>
    outbound(tenant, ({ agent }) => tenant.ok('PATCH', `/agents/${agent.id}`, { tts_config: null })),
  ),
  refusal(422, 'agent_incomplete', 'the agent of a scheduled campaign has no model', async (tenant) => {
    const { id } = await tenant.newAgent({ llm_config: null });
    const campaign = await tenant.newCampaign({ agent_id: id });
    return { method: 'PATCH', path: `/campaigns/${campaign.id}`, json: { status: 'scheduled' } };
  }),
  refusal(
    422,
    'not_supported_in_realtime',
    'a speech-to-speech model has fallbacks',
    async () => ({
      method: 'POST',
      path: '/agents',
      json: { name: 'A', llm_config: { provider: 'vendor_realtime', fallbacks: [{ provider: 'scripted' }] } },
    }),
    { param: 'llm_config.fallbacks' },
  ),
  refusal(409, 'number_in_use', 'a running campaign dials from the number of its agent', async (tenant) => {
    const { agent, number } = await tenant.newLine();
    const { id: campaignId } = await tenant.newCampaign({ agent_id: agent.id, number_id: null });
    await tenant.api.storage.campaigns.update(tenant.orgId, campaignId, { status: 'running' });
    return { method: 'DELETE', path: `/numbers/${number.id}` };
  }),
  refusal(422, 'no_trunk', 'no trunk carries the number', async (tenant) => ({
    method: 'POST',
    path: '/calls/outbound',
    json: { destination: '+31201234567', agent: {}, number_id: (await tenant.newNumber()).id },
  })),
  refusal(422, 'no_webhook_url', 'a delivery is sent again without a webhook URL', async (tenant) => ({
    method: 'POST',
    path: `/webhook-deliveries/${(await tenant.addDelivery()).id}/redeliver`,
  })),
  refusal(404, 'tool_template_not_found', 'the tool template does not exist', async (tenant) => ({
    method: 'POST',
    path: `/agents/${(await tenant.newAgent()).id}/tools`,
    json: { tool_template_id: '00000000-0000-7000-8000-0000000000ff' },
  })),
  refusal(404, 'tool_not_found', 'the agent has no tool of that name', async (tenant) => ({
    method: 'POST',
    path: `/agents/${(await tenant.newAgent()).id}/tools/try`,
    json: { name: 'nothing' },
  })),
  refusal(422, 'tool_needs_call', 'the tool only works in a call', async (tenant) => {
    const tools = [{ type: 'endCall' }];
    const { id } = await tenant.newAgent({ llm_config: { provider: 'scripted', tools } });
    return { method: 'POST', path: `/agents/${id}/tools/try`, json: { name: 'endCall' } };
  }),
  refusal(409, 'tool_exists', 'the agent already has a tool of that name', async (tenant) => {
    const path = `/agents/${(await tenant.newAgent()).id}/tools`;
    const json = { tool_template_id: (await tenant.newToolTemplate()).id };
    await tenant.ok('POST', path, json);
    return { method: 'POST', path, json };
  }),
  refusal(422, 'agent_incomplete', 'a tool is added to an agent without a model', async (tenant) => ({
    method: 'POST',
    path: `/agents/${(await tenant.newAgent({ llm_config: null })).id}/tools`,
    json: { tool_template_id: (await tenant.newToolTemplate()).id },
  })),
  refusal(422, 'too_many_tools', 'the agent has the maximum number of tools', async (tenant) => {
    const tools = Array.from({ length: 128 }, (_, n) => ({ type: 'function', name: `tool_${n}` }));
    const { id } = await tenant.newAgent({ llm_config: { provider: 'scripted', tools } });
    return {
      method: 'POST',
      path: `/agents/${id}/tools`,
      json: { tool_template_id: (await tenant.newToolTemplate()).id },
    };
  }),
  refusal(422, 'no_webhook_url', 'a webhook is tested without a webhook URL', async (tenant) => ({
    method: 'POST',
    path: `/agents/${(await tenant.newAgent({ webhook_url: null })).id}/webhook/test`,
  })),
  refusal(422, 'too_many_variables', 'an export would have too many columns', async (tenant) => {
    const { id } = await tenant.newCampaign();
    const variables = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`v${n}`, n]));
    await tenant.newLead(id, { variables });
    return { method: 'GET', path: `/campaigns/${id}/leads/export` };
  }),
  refusal(400, 'invalid_csv', 'a CSV file has no phone_number column', async (tenant) => ({
    method: 'POST',
    path: `/campaigns/${(await tenant.newCampaign()).id}/leads/import`,
    headers: { 'content-type': 'text/csv' },
    body: `name,city\nJan,${newPhoneNumber()}\n`,
  })),
  refusal(429, 'concurrency_limit_exceeded', 'the concurrency limit is reached', (tenant) =>
    outbound(tenant, async () => {
      await tenant.api.va.operations.organizations.update(tenant.orgId, { concurrency_limit: 1 });
      await tenant.addCall({ status: 'in-progress', ended_at: null, end_reason: null });
    }),
  ),
  refusal(429, 'concurrency_limit_exceeded', 'there are 100 unused tokens of web calls', async (tenant) => {
    const request = await web(tenant);
    const { calls } = tenant.api.va.operations;
    for (let n = 0; n < 100; n++) await calls.createWebCall(tenant.orgId, request.json);
    return request;
  }),
  refusal(
    429,
    'minutes_used_up',
    'pages have used the minutes of their publishable key',
    async (tenant) => {
      const { id, key, agents } = await tenant.newPublishableKey({ minutes_per_day: 5 });
      await tenant.addUsage({ publishable_key_id: id, duration_seconds: 280 });
      const headers = { origin: 'https://www.example.com' };
      return { method: 'POST', path: '/calls/web', json: { agent_id: agents[0] }, key, headers };
    },
    { headers: { 'retry-after': /^300$/ } },
  ),
  refusal(500, 'internal_error', 'the service fails unexpectedly', async (tenant) => {
    const { id } = await tenant.addCall();
    tenant.api.recordings.broken.add(id);
    return { method: 'GET', path: `/calls/${id}/recording` };
  }),
  refusal(
    502,
    'provider_error',
    'the mail provider fails',
    mailFault({ status: 422, name: 'validation_error' }, { status: 422, name: 'validation_error' }),
  ),
  refusal(502, 'provider_error', 'the mail provider sends an invalid response', mailFault('garbage', 'garbage')),
  refusal(503, 'unavailable', 'the telephony adapter does not support the command', async (tenant) => ({
    method: 'POST',
    path: `/calls/${(await tenant.newLiveCall()).id}/control`,
    json: { type: 'transfer', destination: '+31201234567' },
  })),
  refusal(504, 'provider_timeout', 'the mail provider does not respond', mailFault('hang', 'hang')),
];
