import { defineTool } from '@va/core';
import { type ServedTool, ToolServerError, type ToolServerSessionOptions, type ToolServers } from '@va/core/adapter';
import { silentLogger } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { faultsOf, organizationOf, orgId, otherOrgId, refusal, testOperations } from '../support.ts';

const mine = defineTool({
  name: 'find_table',
  description: '',
  parameters: z.object({}),
  execute: () => null,
  allow: ({ id }) => id === orgId,
});
const broken = defineTool({
  name: 'broken',
  description: '',
  parameters: z.object({}),
  execute: () => null,
  allow: () => {
    throw new Error('no database');
  },
});

/** MCP servers of which only the one with the right key lists tools. */
class Servers implements ToolServers {
  readonly opened: ToolServerSessionOptions[] = [];
  closed = 0;
  tools: readonly ServedTool[] = ['search', 'book'].map((name) => ({ name, description: '', parameters: {} }));

  start(): void {}
  async close(): Promise<void> {}

  open(options: ToolServerSessionOptions): ReturnType<ToolServers['open']> {
    this.opened.push(options);
    const { server } = options;
    const isKnown = 'url' in server && server.headers?.Authorization === 'Bearer key';
    return {
      list: async () => {
        if (isKnown) return this.tools;
        throw new ToolServerError('refused', 'the server answered 401');
      },
      call: async () => ({ ok: true, result: null }),
      close: () => {
        this.closed += 1;
      },
    };
  }
}

const server = { url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer key' } };
let servers: Servers;
let world: ReturnType<typeof testOperations>;

beforeEach(async () => {
  servers = new Servers();
  world = testOperations({ tools: [mine, broken], mcp: servers, logger: silentLogger });
  await world.storage.start();
  for (const id of [orgId, otherOrgId]) await world.storage.organizations.insert(id, organizationOf(id, world.clock));
});

const create = async (tools: object[], by = orgId) =>
  await world.operations.agents.create(by, { name: 'Anna', llm_config: { provider: 'openai', tools: tools as never } });

describe('a tool of the host', () => {
  it('is accepted where the organization may use it, and refused like an unknown one elsewhere', async () => {
    const host = [{ type: 'host', name: 'find_table' }];
    expect((await create(host)).llm_config?.tools).toEqual(host);
    const foreign = await refusal(create(host, otherOrgId));
    expect(faultsOf(foreign)).toEqual(['llm_config.tools.0.name invalid_reference']);
    const unknown = await refusal(create([{ type: 'host', name: 'unknown' }], otherOrgId));
    expect(foreign.message.replaceAll('find_table', 'unknown')).toBe(unknown.message);
  });

  it('is refused when the hook that decides fails', async () => {
    expect(faultsOf(await refusal(create([{ type: 'host', name: 'broken' }])))).toEqual([
      'llm_config.tools.0.name invalid_reference',
    ]);
  });

  it('shares its name with no other tool of the agent', async () => {
    const twice = [
      { type: 'host', name: 'find_table' },
      { type: 'function', name: 'find_table' },
    ];
    expect(faultsOf(await refusal(create(twice)))).toEqual(['llm_config.tools.1.name invalid_field']);
  });
});

describe('an MCP server', () => {
  it('is asked for its tools when an agent is stored; its headers are never shown', async () => {
    const agent = await create([{ type: 'mcp', server, allow: ['search'] }]);
    expect(servers.opened).toMatchObject([{ server, orgId, callId: null }]);
    expect(servers.closed).toBe(1);
    expect(agent.llm_config?.tools).toEqual([{ type: 'mcp', server: { url: server.url }, allow: ['search'] }]);
    expect((await world.storage.agents.get(orgId, agent.id))?.llm_config?.tools).toMatchObject([{ server }]);
  });

  it('keeps its headers when it is written again without them, and is asked with them', async () => {
    const agent = await create([{ type: 'mcp', server }]);
    const llm_config = { provider: 'openai', tools: [{ type: 'mcp' as const, server: { url: server.url } }] };
    await world.operations.agents.update(orgId, agent.id, { llm_config });
    expect(servers.opened[1]).toMatchObject({ server });
    expect((await world.storage.agents.get(orgId, agent.id))?.llm_config?.tools).toMatchObject([{ server }]);
    const elsewhere = { provider: 'openai', tools: [{ type: 'mcp' as const, server: { url: 'https://evil.test/' } }] };
    expect(faultsOf(await refusal(world.operations.agents.update(orgId, agent.id, { llm_config: elsewhere })))).toEqual(
      ['llm_config.tools.0.server tool_server_failed'],
    );
    expect(servers.opened[2]).toMatchObject({ server: { url: 'https://evil.test/' } });
    expect(servers.opened[2]?.server).not.toHaveProperty('headers');
  });

  it.each([
    ['lacks an allowed tool', { server, allow: ['search', 'erase'] }, 'llm_config.tools.0.allow invalid_reference'],
    ['lists nothing', { server: { url: server.url } }, 'llm_config.tools.0.server tool_server_failed'],
    ['collides with another tool', { server, with: 'book' }, 'llm_config.tools.0.prefix invalid_field'],
  ])('is refused when it %s', async (_what, { with: name, ...entry }: Record<string, unknown>, fault) => {
    const others = name === undefined ? [] : [{ type: 'function', name }];
    expect(faultsOf(await refusal(create([{ type: 'mcp', ...entry }, ...others])))).toEqual([fault]);
  });

  it('does not collide with other tools under a prefix', async () => {
    const tools = [
      { type: 'mcp', server, prefix: 'crm_' },
      { type: 'function', name: 'book' },
    ];
    expect((await create(tools)).llm_config?.tools).toHaveLength(2);
  });

  it.each([
    ['a header of the connection', { Host: 'internal' }],
    ['a header of the protocol', { 'Mcp-Session-Id': 'other' }],
    ['a line break', { 'X-Key': 'a\r\nX-Other: b' }],
    ['a name twice', { 'X-Key': 'a', 'x-key': 'b' }],
    ['21 headers', Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`X-${n}`, 'a']))],
  ])('is refused with %s', async (_what, headers) => {
    const error = await refusal(create([{ type: 'mcp', server: { url: server.url, headers } }]));
    expect(error.status).toBe(400);
    expect(servers.opened).toHaveLength(0);
  });
});
