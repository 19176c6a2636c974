import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { createVoiceAgents, type VoiceAgents } from '@va/core';
import { type Clock, systemClock } from '@va/core/adapter';
import { createHandler, type Handler } from '@va/http';
import { toNode } from '@va/http/node';
import { memory } from '@va/storage/memory';
import { ScriptedWebhooks, scriptedLlm, scriptedStt, scriptedTts, silentLogger } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withMcp } from '../../src/server/index.ts';

let va: VoiceAgents;
let handler: Handler;
let orgId: string;
let base: string;
const closers: (() => Promise<unknown>)[] = [];

/** Its time of day stands still, because requests are counted by minute. */
const clock: Clock = {
  nowMs: () => systemClock.nowMs(),
  wallMs: () => Date.parse('2026-01-01T09:00:00.000Z'),
  setTimer: (delayMs, run) => systemClock.setTimer(delayMs, run),
};

beforeEach(async () => {
  va = createVoiceAgents({
    clock,
    storage: memory(),
    providers: [scriptedLlm([]), scriptedStt({ turns: [] }), scriptedTts()],
    webhooks: new ScriptedWebhooks(),
    logger: silentLogger,
  });
  await va.start();
  orgId = (await va.operations.organizations.ensureDefault()).id;
  handler = withMcp(va, createHandler(va, { basePath: '/voice' }));
  const server = createServer(toNode(handler));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/voice/api/v1`;
  closers.push(
    () => va.close(),
    () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  );
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function connect(scopes: readonly string[] = ['*']): Promise<Client> {
  const { secret } = await va.operations.apiKeys.issue(orgId, { name: 'test', scopes: [...scopes] });
  const client = new Client({ name: 'assistant', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${base}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${secret}` } },
  });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  closers.push(() => client.close());
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: args })) as CallToolResult;
}

function jsonOf({ content }: CallToolResult): Record<string, unknown> {
  const [part] = content;
  return JSON.parse(part?.type === 'text' ? part.text : '');
}

function textOf({ content }: CallToolResult): string {
  return content[0]?.type === 'text' ? content[0].text : '';
}

describe('the API as an MCP server', () => {
  it('lets an assistant build an agent, change it and read it, without the secret of its webhooks', async () => {
    const client = await connect();
    const created = await call(client, 'agents_create', {
      body: {
        name: 'Anna',
        llm_config: { provider: 'scripted', messages: [{ role: 'system', content: 'Be brief.' }] },
      },
    });
    const { agent } = jsonOf(created) as { agent: { id: string } };
    const changed = jsonOf(await call(client, 'agents_update', { id: agent.id, body: { first_message: 'Hello.' } }));
    expect(changed).toMatchObject({ agent: { first_message: 'Hello.', webhook_secret: '(hidden)' } });
    const stored = await va.operations.agents.get(orgId, agent.id);
    expect(stored).toMatchObject({ name: 'Anna', first_message: 'Hello.' });
    expect(JSON.stringify([created, changed])).not.toContain(stored.webhook_secret);
    expect(jsonOf(await call(client, 'agents_list', { query: { limit: 1 } }))).toMatchObject({
      agents: [{ id: agent.id }],
    });
  });

  it('describes its tools with schemas and hints, and leaves out keys, streams and files', async () => {
    const { tools } = await (await connect()).listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['agents_create', 'calls_place', 'campaigns_create', 'leads_list']));
    expect(names.filter((name) => /^(apiKeys|byok|health|domains)_|recording|events|stream/.test(name))).toEqual([]);
    expect(names.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true);
    expect(tools.find(({ name }) => name === 'agents_update')).toMatchObject({
      inputSchema: { required: ['id', 'body'], properties: { body: { properties: { first_message: {} } } } },
      annotations: { readOnlyHint: false },
    });
    expect(tools.find(({ name }) => name === 'agents_delete')?.annotations?.destructiveHint).toBe(true);
  });

  it('offers the tools of the key’s scopes, and rejects the others', async () => {
    const client = await connect(['agents:read']);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['agents_get', 'agents_list']);
    const refused = await call(client, 'agents_create', { body: { name: 'Anna' } });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/^403: .*agents:write/);
    expect(await va.operations.agents.list(orgId)).toEqual([]);
  });

  it('answers with the errors of the API', async () => {
    const client = await connect();
    expect(textOf(await call(client, 'agents_create', { body: {} }))).toMatch(/^400: .*"param":"name"/);
    expect(textOf(await call(client, 'agents_get', { id: 'none' }))).toMatch(/^404: .*agent_not_found/);
    expect(textOf(await call(client, 'agents_get'))).toMatch(/part of the path/);
    expect(textOf(await call(client, 'agents_explode'))).toBe('There is no tool agents_explode.');
  });

  it('does not let a part of the path reach another route', async () => {
    const client = await connect();
    expect(textOf(await call(client, 'agents_get', { id: '../api-keys' }))).toMatch(/^404: .*agent_not_found/);
    expect(textOf(await call(client, 'agents_get', { id: '..' }))).toMatch(/^404/);
  });

  it('shows nothing of another organization', async () => {
    const other = await va.operations.organizations.create({ name: 'Other' });
    await va.operations.agents.create(other.id, { name: 'Foreign' });
    expect(jsonOf(await call(await connect(), 'agents_list'))).toEqual({ agents: [] });
  });

  it('counts its calls against the key’s rate limit', async () => {
    const client = await connect();
    const results = await Promise.all(Array.from({ length: 110 }, () => call(client, 'voices_list')));
    expect(results.filter((result) => textOf(result).startsWith('429: ')).length).toBeGreaterThanOrEqual(10);
  });
});

it('a publishable key has no access to the MCP server', async () => {
  const agent = await va.operations.agents.create(orgId, { name: 'Anna' });
  const input = { name: 'Site', agents: [agent.id], origins: ['https://www.example.com'] };
  const { key } = await va.operations.publishableKeys.create(orgId, input);
  const headers = { authorization: `Bearer ${key}`, origin: 'https://www.example.com' };
  const response = await fetch(`${base}/mcp`, { method: 'POST', headers, body: '{}' });
  expect(response.status).toBe(403);
});

describe('a request that is not a valid MCP request', () => {
  const post = async (body: string, headers: Record<string, string> = {}): Promise<Response> => {
    const { secret } = await va.operations.apiKeys.issue(orgId, { name: 'test' });
    const accept = 'application/json, text/event-stream';
    const all = { authorization: `Bearer ${secret}`, accept, 'content-type': 'application/json', ...headers };
    return await fetch(`${base}/mcp`, { method: 'POST', headers: all, body });
  };

  it.each([
    ['without a key', 401, '{}', { authorization: '' }],
    ['with a wrong key', 401, '{}', { authorization: 'Bearer va_wrong' }],
    ['that is not JSON', 400, '{', {}],
    ['of several messages', 400, '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', {}],
    ['as a form, which any page may send', 415, '{}', { 'content-type': 'text/plain' }],
    ['that is compressed', 415, '{}', { 'content-encoding': 'gzip' }],
    ['of more than 1 MiB', 413, `"${'x'.repeat(1_100_000)}"`, {}],
  ])('%s is answered %s', async (_what, status, body, headers) => {
    const response = await post(body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } });
  });

  it('is rejected with Allow when its method is not POST', async () => {
    const response = await fetch(`${base}/mcp`);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });

  it('does not affect the console of the API, which mounts serve if there is one', () => {
    const console = { file: async () => null };
    expect(withMcp(va, createHandler(va, { console })).hasConsole).toBe(true);
    expect(handler.hasConsole ?? false).toBe(false);
  });

  it('reaches the API when it is for another path', async () => {
    expect((await fetch(`${base}/health`)).status).toBe(200);
    expect((await handler.fetch(new Request('http://localhost/voice/api/v1/health'))).status).toBe(200);
  });
});

it('the handler answers a Request with a Response', async () => {
  const { secret } = await va.operations.apiKeys.issue(orgId, { name: 'test' });
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const request = new Request('http://localhost/voice/api/v1/mcp', { method: 'POST', headers, body });
  const response = await handler.fetch(request);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
});
