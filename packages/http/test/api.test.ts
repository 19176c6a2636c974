import { isUuid } from '@va/core/adapter';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHandler } from '../src/create-handler.ts';
import type { Route } from '../src/route/route.ts';
import { routes } from '../src/routes/routes.ts';
import { type Reply, send } from './support/client.ts';
import { createTestHost, recordedBytes, type TestHost } from './support/host.ts';
import { type Mounted, mount, mountings } from './support/mounts.ts';

const rateLimits = { requestsPerMinute: 0 };

describe.each(mountings)('the API on $name', (mounting) => {
  let service: TestHost;
  let mounted: Mounted;

  beforeAll(async () => {
    service = await createTestHost();
    mounted = await mount(mounting, (options) => createHandler(service.host, { ...options, rateLimits }));
  });

  afterAll(async () => {
    await mounted.close();
  });

  async function call(method: string, path: string, json?: unknown): Promise<Reply> {
    return await send(`${mounted.url}${path}`, { method, key: service.key, ...(json === undefined ? {} : { json }) });
  }

  function fits(method: string, path: string, reply: Reply): void {
    const all = Object.values<Record<string, Route>>(routes).flatMap((group) => Object.values(group));
    const route = all.find((each) => each.method === method && each.path === path);
    expect(route?.responseSchema?.parse(reply.body)).toEqual(reply.body);
  }

  it('shows its health without a key', async () => {
    const reply = await send(`${mounted.url}/health`);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ status: 'ok', version: '1.2.3', checks: { storage: { status: 'ok' } } });
    fits('GET', '/health', reply);
  });

  it('creates, reads, changes, lists and deletes an agent', async () => {
    const llm = { provider: 'openai', model: 'm', tools: [{ type: 'endCall' }] };
    const created = await call('POST', '/agents', { name: 'Zoë 👋', llm_config: llm, metadata: { b: 1, a: 2 } });
    expect(created.status).toBe(201);
    fits('POST', '/agents', created);
    const { agent } = created.body;
    expect(created.headers.get('location')).toBe(`${mounted.path}/agents/${agent.id}`);
    expect(created.headers.get('cache-control')).toBe('no-store');
    expect(isUuid(agent.id)).toBe(true);
    expect(agent).toMatchObject({ name: 'Zoë 👋', is_active: true, max_duration_seconds: 600, first_message: null });
    expect(agent.llm_config).toEqual({ ...llm, messages: [] });
    expect(agent.webhook_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);

    const read = await call('GET', `/agents/${agent.id}`);
    expect(read).toMatchObject({ status: 200, body: { agent } });
    const patched = await call('PATCH', `/agents/${agent.id}`, { first_message: 'Hi', llm_config: null });
    expect(patched.status).toBe(200);
    const { updated_at } = patched.body.agent;
    expect(patched.body).toEqual({ agent: { ...agent, first_message: 'Hi', llm_config: null, updated_at } });
    expect(updated_at >= agent.updated_at).toBe(true);

    const listed = await call('GET', '/agents');
    fits('GET', '/agents', listed);
    expect(listed.body.agents[0]).toEqual(patched.body.agent);
    expect(await call('DELETE', `/agents/${agent.id}`)).toMatchObject({ status: 200, body: { success: true } });
    for (const method of ['GET', 'DELETE']) {
      expect(await call(method, `/agents/${agent.id}`)).toMatchObject({
        status: 404,
        body: { code: 'agent_not_found' },
      });
    }
  });

  it('registers, reads, changes, lists and deletes a number', async () => {
    const { agent } = (await call('POST', '/agents', { name: 'Desk', business_name: 'Acme' })).body;
    const created = await call('POST', '/numbers', { phone_number: '+31 20 555 01 00', agent_id: agent.id });
    expect(created.status).toBe(201);
    fits('POST', '/numbers', created);
    const { number } = created.body;
    expect(created.headers.get('location')).toBe(`${mounted.path}/numbers/${number.id}`);
    expect(number).toMatchObject({ number: '+31205550100', phone_number: '+31205550100', is_active: true });
    expect(number).toMatchObject({ agent_id: agent.id, agent_name: 'Desk', business_name: 'Acme' });

    expect(await call('GET', `/numbers/${number.id}`)).toMatchObject({ status: 200, body: { number } });
    expect((await call('GET', '/numbers')).body).toEqual({ numbers: [number] });
    const patched = await call('PATCH', `/numbers/${number.id}`, { is_active: false });
    expect(patched.body.number).toMatchObject({ is_active: false, agent_id: agent.id });
    await call('DELETE', `/agents/${agent.id}`);
    const orphan = await call('GET', `/numbers/${number.id}`);
    expect(orphan.body.number).toMatchObject({ agent_id: null, agent_name: null });

    const again = await call('POST', '/numbers', { phone_number: '+31205550100' });
    expect(again).toMatchObject({ status: 409, body: { code: 'phone_number_exists', param: 'phone_number' } });
    expect((await call('DELETE', `/numbers/${number.id}`)).body).toEqual({ success: true });
    expect(await call('DELETE', `/numbers/${number.id}`)).toMatchObject({
      status: 404,
      body: { code: 'phone_number_not_found' },
    });
  });

  it('lists calls by pages, and returns one without a wrapper', async () => {
    const made = [];
    for (let n = 0; n < 3; n += 1) made.push(await service.addCall({ created_at: `2020-01-0${n + 1}T00:00:00.000Z` }));
    const listed = await call(
      'GET',
      '/calls?limit=2&offset=1&start_date=2020-01-01&end_date=2020-01-03&status=ended,failed',
    );
    expect(listed.status).toBe(200);
    fits('GET', '/calls', listed);
    expect(listed.body).toEqual({ calls: [made[1], made[0]], pagination: { total: 3, limit: 2, offset: 1 } });
    expect((await call('GET', `/calls/${made[0]?.id}`)).body).toEqual(made[0]);
    const phone = await call('GET', `/calls?phone=+31612345678&start_date=2020-01-03&end_date=2020-01-03`);
    expect(phone.body.calls).toEqual([made[2]]);
  });

  it.each([
    'limit=0',
    'limit=1001',
    'offset=-1',
    'limit=ten',
    'status=ringing',
    'start_date=2020-02-30',
    'agent_id=7',
    'stauts=ended',
    'limit=1&limit=2',
  ])('refuses the query %s', async (query) => {
    const reply = await call('GET', `/calls?${query}`);
    expect(reply.status).toBe(400);
    expect(reply.body.param).toBe(query.split('=')[0]);
  });

  it('hides the records of another organization', async () => {
    const { agent } = (await call('POST', '/agents', { name: 'Secret' })).body;
    const other = { key: service.foreignKey };
    expect((await send(`${mounted.url}/agents`, other)).body).toEqual({ agents: [] });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const json = method === 'PATCH' ? { json: {} } : {};
      const reply = await send(`${mounted.url}/agents/${agent.id}`, { ...other, method, ...json });
      expect(reply).toMatchObject({ status: 404, body: { code: 'agent_not_found' } });
    }
    const taken = await send(`${mounted.url}/numbers`, {
      ...other,
      method: 'POST',
      json: { phone_number: '+31205550111', agent_id: agent.id },
    });
    expect(taken).toMatchObject({ status: 400, body: { code: 'invalid_reference', param: 'agent_id' } });
  });

  it('sends a recording or a range of it', async () => {
    const { id } = await service.addCall({ room_name: 'recorded' });
    const get = async (headers: Record<string, string>, method = 'GET'): Promise<[Response, Uint8Array]> => {
      const authorization = `Bearer ${service.key}`;
      const response = await fetch(`${mounted.url}/calls/${id}/recording`, {
        method,
        headers: { ...headers, authorization },
      });
      return [response, new Uint8Array(await response.arrayBuffer())];
    };
    const [whole, bytes] = await get({});
    expect(whole.status).toBe(200);
    expect(whole.headers.get('content-type')).toBe('audio/wav');
    expect(whole.headers.get('accept-ranges')).toBe('bytes');
    expect(bytes).toEqual(recordedBytes);

    const [part, partBytes] = await get({ range: 'bytes=300-799' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 300-799/1000']);
    expect(partBytes).toEqual(recordedBytes.slice(300, 800));

    const [head, none] = await get({}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), none.length]).toEqual([200, '1000', 0]);
    const [beyond] = await get({ range: 'bytes=1000-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
  });

  it('responds 404 for a call without a recording', async () => {
    const { id } = await service.addCall();
    expect(await call('GET', `/calls/${id}/recording`)).toMatchObject({
      status: 404,
      body: { code: 'recording_not_found' },
    });
    const unknown = await call('GET', '/calls/00000000-0000-7000-8000-000000000000/recording');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'call_not_found' } });
  });
});
