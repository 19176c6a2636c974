import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type Call,
  callSchema,
  createIdempotencyStore,
  createOperations,
  type HandlerHost,
  systemClock,
  systemRandom,
  timestamp,
  uuidv7,
} from '@va/core';
import { createHandler } from '@va/http';
import { toNode } from '@va/http/node';
import { memory } from '@va/storage/memory';
import { ScriptedWebhooks, silentLogger } from '@va/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiError, type Client, ConnectionError, createClient } from '../src/index.ts';

let server: Server;

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/voice/`;
}

async function startService(): Promise<{
  client: Client;
  baseUrl: string;
  addCall: (status: Call['status']) => Promise<Call>;
}> {
  const storage = memory();
  const wav = new TextEncoder().encode('RIFF');
  const operations = createOperations({
    storage,
    recordings: {
      create: () => Promise.reject(new Error('Nothing records here.')),
      open: async () => ({ contentType: 'audio/wav', byteLength: wav.length, read: () => new Blob([wav]).stream() }),
    },
    webhooks: new ScriptedWebhooks(),
    clock: systemClock,
    random: systemRandom,
  });
  const { id: orgId } = await operations.organizations.ensureDefault();
  const { secret } = await operations.apiKeys.issue(orgId, { name: 'test' });
  const host: HandlerHost = {
    operations,
    clock: systemClock,
    logger: silentLogger,
    idempotency: createIdempotencyStore({ storage, clock: systemClock, random: systemRandom }),
    authenticate: ({ authorization }) => operations.apiKeys.authenticate(authorization),
    health: async () => ({ status: 'ok', version: '0', timestamp: timestamp(systemClock), checks: {} }),
  };
  const baseUrl = await serve(toNode(createHandler(host, { basePath: '/voice' })));
  const addCall = async (status: Call['status']): Promise<Call> => {
    const now = timestamp(systemClock);
    const nothing = Object.fromEntries(Object.keys(callSchema.shape).map((key) => [key, null]));
    const facts = { status, messages: [], room_name: 'r', direction: 'inbound', created_at: now, updated_at: now };
    const call = callSchema.parse({ ...nothing, ...facts, id: uuidv7(systemClock) });
    await storage.calls.insert(orgId, call);
    return call;
  };
  return { client: createClient({ baseUrl, apiKey: secret }), baseUrl, addCall };
}

describe('the client', () => {
  it('works through the life of an agent and its number', async () => {
    const { client } = await startService();
    const agent = await client.agents.create({ name: 'Reception', llm_config: { provider: 'openai' } });
    expect(await client.agents.get(agent.id)).toEqual(agent);
    expect((await client.agents.update(agent.id, { first_message: 'Hi' })).first_message).toBe('Hi');
    expect(await client.agents.list({ limit: 1 })).toHaveLength(1);

    const number = await client.numbers.register({ phone_number: '+31205550100', agent_id: agent.id });
    expect(await client.numbers.get(number.id)).toEqual(number);
    expect((await client.numbers.update(number.id, { is_active: false })).is_active).toBe(false);
    expect(await client.numbers.list()).toHaveLength(1);
    await client.numbers.delete(number.id);
    await client.agents.delete(agent.id);
    expect(await client.agents.list()).toEqual([]);
  });

  it('finds calls and fetches a recording', async () => {
    const { client, addCall } = await startService();
    const [ended, failed, queued] = [await addCall('ended'), await addCall('failed'), await addCall('queued')];
    const listed = await client.calls.list({ status: ['ended', 'failed'], limit: 10 });
    expect(listed.calls.map(({ id }) => id).sort()).toEqual([ended.id, failed.id].sort());
    expect(listed.pagination).toEqual({ total: 2, limit: 10, offset: 0 });
    expect(await client.calls.get(queued.id)).toEqual(queued);
    expect(await new Response(await client.calls.recording(ended.id)).text()).toBe('RIFF');
  });

  it('throws what the service says', async () => {
    const { client, baseUrl } = await startService();
    const error = await client.agents.update('../numbers', {}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 404, code: 'agent_not_found' });
    const invalid = await client.numbers.register({ phone_number: '1' }).catch((thrown: unknown) => thrown);
    expect(invalid).toMatchObject({ status: 400, code: 'invalid_phone_number', param: 'phone_number' });
    expect(invalid).toHaveProperty('requestId', expect.stringMatching(/^[0-9a-f-]{36}$/));
    const stranger = createClient({ baseUrl, apiKey: 'va_live_x' });
    await expect(stranger.agents.list()).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('keeps the status of an answer that is not the service’s own', async () => {
    const baseUrl = await serve((_request, response) => response.writeHead(418).end('<html>'));
    const client = createClient({ baseUrl, apiKey: 'x' });
    await expect(client.agents.list()).rejects.toMatchObject({ status: 418, code: 'http_418', requestId: null });
  });

  it('repeats what only reads, and nothing else', async () => {
    const methods: string[] = [];
    const baseUrl = await serve((request, response) => {
      methods.push(request.method ?? '');
      response.writeHead(methods.length === 1 ? 503 : 200, { 'retry-after': '0' }).end('{"agents":[]}');
    });
    const client = createClient({ baseUrl, apiKey: 'x' });
    expect(await client.agents.list()).toEqual([]);
    expect(methods).toEqual(['GET', 'GET']);
    methods.length = 0;
    await expect(client.agents.create({ name: 'x' })).rejects.toMatchObject({ status: 503 });
    expect(methods).toEqual(['POST']);
  });

  it('says so when there is no answer, or none in time, or none it can read', async () => {
    const hanging = await serve((request, response) => {
      if (request.url?.endsWith('/numbers')) response.end('<html>');
    });
    const client = createClient({ baseUrl: hanging, apiKey: 'x', timeoutMs: 50, retries: 0 });
    await expect(client.agents.list()).rejects.toMatchObject({ code: 'timeout' });
    await expect(client.numbers.list()).rejects.toMatchObject({ code: 'invalid_answer' });
    const nowhere = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'x', retries: 0 });
    await expect(nowhere.agents.list()).rejects.toBeInstanceOf(ConnectionError);
  });
});
