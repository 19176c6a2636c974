import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAddressPolicy, type ToolServerSession, type ToolServers } from '@va/core/adapter';
import { sourceProgram } from '@va/test-servers/programs';
import { silentLogger, VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type McpOptions, mcp } from '../../src/client/index.ts';
import { RestaurantServer } from './mcp-server.ts';

const clock = new VirtualClock();
const closers: (() => Promise<unknown>)[] = [];
let restaurant: RestaurantServer;

beforeEach(async () => {
  restaurant = await RestaurantServer.start();
  closers.push(() => restaurant.stop());
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function client(options: McpOptions = {}): ToolServers {
  const servers = mcp({ addresses: createAddressPolicy({ allowed: ['127.0.0.1'] }), ...options });
  servers.start({ clock, logger: silentLogger });
  closers.push(() => servers.close());
  return servers;
}

function open(servers = client(), server: object = { url: restaurant.url }): ToolServerSession {
  return servers.open({ server: server as { url: string }, orgId: 'org', callId: 'call-1' });
}

const call = (session: ToolServerSession, name: string, args: Record<string, unknown> = {}, timeoutMs = 5_000) =>
  session.call({
    name,
    arguments: args,
    toolCallId: 'tool-1',
    timeoutMs,
    signal: new AbortController().signal,
  });

const timeoutMs = 5_000;

describe('an MCP server over HTTP', () => {
  it('lists its tools, with descriptions and schemas', async () => {
    const tools = await open().list({ timeoutMs });
    expect(tools.map(({ name }) => name)).toContain('menu.today');
    expect(tools.find(({ name }) => name === 'find_table')).toEqual({
      name: 'find_table',
      description: 'Finds a free table.',
      parameters: expect.objectContaining({
        type: 'object',
        properties: { people: expect.objectContaining({ type: 'integer' }) },
        required: ['people'],
      }),
    });
  });

  it.each([
    ['structured content', 'find_table', { people: 2 }, { ok: true, result: { table: 7 } }],
    ['texts, joined', 'menu.today', {}, { ok: true, result: 'Soup.\nFish.' }],
    ['an error of the tool', 'full', {}, { ok: false, error: 'We are full.' }],
    ['the message of an error that a tool throws', 'breaks', {}, { ok: false, error: 'no kitchen' }],
    ['invalid arguments', 'find_table', { people: 'two' }, { ok: false, error: expect.stringMatching(/people/) }],
    ['an unknown tool', 'none', {}, { ok: false, error: expect.stringMatching(/none/) }],
    ['a picture', 'photo', {}, { ok: false, error: expect.stringMatching(/image, which cannot be used/) }],
  ])('answers with %s', async (_what, name, args, outcome) => {
    expect(await call(open(), name, args)).toEqual(outcome);
  });

  it('has long results cut, and results beyond 1 MiB rejected', async () => {
    const long = await call(open(), 'long');
    expect(long).toMatchObject({ ok: true, result: expect.stringMatching(/^x+ … \(cut\)$/) });
    expect(JSON.stringify(long).length).toBeLessThan(17_000);
    expect(await call(open(), 'huge')).toMatchObject({ ok: false });
  });

  it('receives its configured headers, and the ids of call and tool call', async () => {
    const headers = { Authorization: 'Bearer key' };
    await call(open(client(), { url: restaurant.url, headers }), 'find_table', { people: 2 });
    for (const request of restaurant.requests) {
      expect(request.headers).toMatchObject({ authorization: 'Bearer key', 'x-call-id': 'call-1' });
    }
    const body = JSON.parse(restaurant.requests.find(({ body: text }) => text.includes('tools/call'))?.body ?? '{}');
    expect(body.params._meta).toMatchObject({ callId: 'call-1', toolCallId: 'tool-1' });
    expect(restaurant.requests.map(({ method }) => method)).not.toContain('GET');
  });

  it('is notified when the session ends', async () => {
    const session = open();
    await call(session, 'menu.today');
    expect(restaurant.sessions).toBe(1);
    session.close();
    await vi.waitFor(() => expect(restaurant.sessions).toBe(0));
    expect(await call(session, 'menu.today')).toMatchObject({ ok: false });
  });

  it('receives one request for its list from many calls, and another one when the list has expired', async () => {
    const servers = client({ listCacheMs: 1_000 });
    await Promise.all([open(servers).list({ timeoutMs }), open(servers).list({ timeoutMs })]);
    await open(servers).list({ timeoutMs });
    const listed = (): number => restaurant.methods.filter((method) => method === 'tools/list').length;
    expect(listed()).toBe(1);
    await servers.open({ server: { url: restaurant.url }, orgId: 'other', callId: 'call-2' }).list({ timeoutMs });
    expect(listed()).toBe(2);
    await clock.advance(1_001);
    await open(servers).list({ timeoutMs });
    expect(listed()).toBe(3);
  });

  it('is represented by its last list while it cannot be reached', async () => {
    const servers = client({ listCacheMs: 1_000 });
    const tools = await open(servers).list({ timeoutMs });
    await restaurant.stop();
    closers.splice(0, 1);
    await clock.advance(2_000);
    expect(await open(servers).list({ timeoutMs })).toEqual(tools);
    expect(await open(servers).list({ timeoutMs })).toEqual(tools);
    expect(await call(open(servers), 'menu.today')).toEqual({ ok: false, error: 'The MCP server cannot be reached.' });
  });

  it('receives the request again on a new session when it no longer knows the old one', async () => {
    const session = open();
    await call(session, 'menu.today');
    restaurant.forget();
    expect(await call(session, 'menu.today')).toMatchObject({ ok: true });
    expect(restaurant.methods.filter((method) => method === 'initialize')).toHaveLength(2);
  });

  it('serves concurrent tool calls of a call on one session, also after it has lost its sessions', async () => {
    const session = open();
    for (const sessions of [1, 2]) {
      const outcomes = await Promise.all([1, 2, 3].map(() => call(session, 'menu.today')));
      expect(outcomes.every(({ ok }) => ok)).toBe(true);
      expect(restaurant.methods.filter((method) => method === 'initialize')).toHaveLength(sessions);
      restaurant.forget();
    }
  });

  it('ends a session that was still opening when the call ended', async () => {
    const session = open();
    const pending = call(session, 'menu.today');
    session.close();
    await pending;
    await vi.waitFor(() => expect(restaurant.sessions).toBe(0));
    expect(restaurant.methods).toContain('initialize');
  });

  it('fails the running tool call when it dies, and that tool call is not repeated', async () => {
    const session = open();
    await session.list({ timeoutMs });
    const pending = call(session, 'wait');
    await vi.waitFor(() => expect(restaurant.waiting).toHaveLength(1));
    await restaurant.stop();
    closers.splice(0, 1);
    expect(await pending).toMatchObject({ ok: false });
    expect(restaurant.methods.filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  it('is notified when a tool call is cancelled', async () => {
    const abort = new AbortController();
    const session = open();
    const pending = session.call({ name: 'wait', arguments: {}, toolCallId: 't', timeoutMs, signal: abort.signal });
    await vi.waitFor(() => expect(restaurant.waiting).toHaveLength(1));
    abort.abort();
    expect(await pending).toEqual({ ok: false, error: 'cancelled' });
    await vi.waitFor(() => expect(restaurant.aborted).toBe(1));
  });

  it('has a time limit for each tool call', async () => {
    expect(await call(open(), 'wait', {}, 200)).toEqual({
      ok: false,
      error: 'timeout: no answer within 0.2 seconds',
    });
  });

  it('has a time limit for its list', async () => {
    restaurant.intercept = () => true;
    await expect(open().list({ timeoutMs: 200 })).rejects.toMatchObject({ code: 'tool_server_timeout' });
  });

  it('fails with the status of its response, without its body', async () => {
    restaurant.intercept = (_request, response) => {
      response.writeHead(401).end('secret details');
      return true;
    };
    await expect(open().list({ timeoutMs })).rejects.toMatchObject({
      code: 'tool_server_refused',
      message: 'The MCP server answered 401.',
    });
  });
});

describe('an address that the policy does not allow', () => {
  it.each(['http://127.0.0.1:1/', 'http://[::1]:1/', 'http://169.254.169.254/latest', 'http://localhost:1/'])(
    'is refused: %s',
    async (url) => {
      const session = open(client({ addresses: createAddressPolicy() }), { url });
      await expect(session.list({ timeoutMs })).rejects.toMatchObject({ code: 'tool_server_refused' });
    },
  );

  it('is not reached by a redirect', async () => {
    const inside = createServer((_request, response) => {
      reached += 1;
      response.end();
    });
    let reached = 0;
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.2', resolve));
    closers.push(() => new Promise((resolve) => inside.close(resolve)));
    const location = `http://127.0.0.2:${(inside.address() as AddressInfo).port}/`;
    restaurant.intercept = (_request, response) => {
      response.writeHead(307, { Location: location }).end();
      return true;
    };
    await expect(open().list({ timeoutMs })).rejects.toMatchObject({ code: expect.stringMatching(/^tool_server_/) });
    expect(reached).toBe(0);
  });
});

describe('a server of the host', () => {
  it('may have any address, and serves only the organizations that it allows', async () => {
    const servers = client({
      addresses: createAddressPolicy(),
      servers: { restaurant: { url: restaurant.url, allow: ({ id }) => id === 'org' } },
    });
    expect(await call(open(servers, { name: 'restaurant' }), 'menu.today')).toMatchObject({ ok: true });
    const foreign = servers.open({ server: { name: 'restaurant' }, orgId: 'other', callId: null });
    const missing = servers.open({ server: { name: 'none' }, orgId: 'other', callId: null });
    const of = async (session: ToolServerSession): Promise<string> =>
      await session.list({ timeoutMs }).then(String, (error: Error) => error.message);
    expect((await of(foreign)).replace('restaurant', 'none')).toBe(await of(missing));
  });

  it('may be a program, which all calls share, and which is started again after it has exited', async () => {
    const program = await sourceProgram(new URL('./stdio-program.ts', import.meta.url));
    const servers = client({
      servers: { sums: { command: process.execPath, args: [program] } },
    });
    const pid = async (): Promise<unknown> => await call(open(servers, { name: 'sums' }), 'pid', {}, 20_000);
    expect((await open(servers, { name: 'sums' }).list({ timeoutMs: 20_000 })).map(({ name }) => name)).toEqual([
      'pid',
      'exit',
    ]);
    const first = await pid();
    expect(first).toMatchObject({ ok: true });
    expect(await pid()).toEqual(first);
    expect(await call(open(servers, { name: 'sums' }), 'exit', {}, 20_000)).toMatchObject({ ok: false });
    const [second, third] = await Promise.all([pid(), pid()]);
    expect(second).toMatchObject({ ok: true });
    expect(third).toEqual(second);
    expect(second).not.toEqual(first);
  });
});
