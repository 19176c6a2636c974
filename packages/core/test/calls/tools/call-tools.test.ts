import { type Call, defineTool } from '@va/core';
import { type ServedTool, type ServedToolCall, ToolServerError, type ToolServerSessionOptions } from '@va/core/adapter';
import { sampleCall, silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CallTools, type CallToolsOptions } from '../../../src/calls/tools/call-tools.ts';
import type { ExternalTool } from '../../../src/conversation/state/tools/call-tool.ts';
import { maxTools, type Tool, toolName, toolSchema } from '../../../src/domain/agents/tools/tool.ts';
import type { ToolOutcome } from '../../../src/domain/calls/tool-outcome.ts';
import { HostTools } from '../../../src/tools/host-tools.ts';
import type { ToolSources } from '../../../src/tools/tool-sources.ts';
import { orgId, otherOrgId } from '../../operations/support.ts';

const call: Call = sampleCall({ variables: { shop: 'Harbour' } });
const request = { id: 'call_1', name: 'find_table', arguments: '{}' };
const organization = { id: orgId, name: 'Harbour' };

const execute = vi.fn();
const findTable = defineTool({
  name: 'find_table',
  description: 'Finds a free table.',
  parameters: z.object({ people: z.number() }),
  execute,
  timeoutMs: 4_000,
  async: true,
  message: 'One moment.',
  cancelOnInterruption: true,
  allow: ({ id }) => id === orgId,
});

interface Server {
  tools: readonly ServedTool[] | Error;
  readonly opened: ToolServerSessionOptions[];
  readonly listed: number[];
  readonly called: ServedToolCall[];
  closed: number;
}

let server: Server;
let sources: ToolSources;
let warned: string[];
let over: AbortController;
const runInPage = vi.fn<CallToolsOptions['runInPage']>();
const runWebhook = vi.fn<CallToolsOptions['runWebhook']>();

beforeEach(() => {
  over = new AbortController();
  warned = [];
  execute.mockReset();
  runInPage.mockReset().mockResolvedValue({ ok: true, result: 'of the page' });
  runWebhook.mockReset().mockResolvedValue({ ok: true, result: 'of the server' });
  server = { tools: ['search', 'book'].map(served), opened: [], listed: [], called: [], closed: 0 };
  sources = {
    hostTools: new HostTools([findTable], silentLogger),
    toolServers: {
      start() {},
      async close() {},
      open(options) {
        server.opened.push(options);
        return {
          async list({ timeoutMs }) {
            server.listed.push(timeoutMs);
            if (server.tools instanceof Error) throw server.tools;
            return server.tools;
          },
          async call(asked) {
            server.called.push(asked);
            return { ok: true, result: `of ${asked.name}` };
          },
          close() {
            server.closed += 1;
          },
        };
      },
    },
  };
});

function served(name: string): ServedTool {
  return { name, description: `Does ${name}.`, parameters: { type: 'object', properties: { [name]: {} } } };
}

function open(tools: readonly object[], options: Partial<CallToolsOptions> = {}): Promise<CallTools> {
  return CallTools.open(sources, {
    organization,
    call: () => call,
    runInPage,
    runWebhook,
    clock: new VirtualClock(),
    signal: over.signal,
    tools: tools.map((tool): Tool => toolSchema.parse(tool)),
    logger: { ...silentLogger, warn: (_fields, message) => void warned.push(message) },
    ...options,
  });
}

function named(tools: CallTools, name: string): ExternalTool {
  const found = tools.list.find((tool) => toolName(tool) === name);
  if (found === undefined || !('parameters' in found)) throw new Error(`There is no external tool ${name}.`);
  return found;
}

function run(tools: CallTools, name: string, args: Record<string, unknown> = {}): Promise<ToolOutcome> {
  return tools.run({ ...request, name }, named(tools, name), args, { signal: over.signal, say() {} });
}

const names = (tools: CallTools): string[] => tools.list.map(toolName);

describe('a function', () => {
  it('runs on the customer’s server', async () => {
    const tools = await open([{ type: 'function', name: 'book', description: 'Books.', message: 'Booking.' }]);
    expect(tools.list).toEqual([
      {
        type: 'function',
        name: 'book',
        description: 'Books.',
        parameters: { type: 'object', properties: {} },
        async: false,
        message: 'Booking.',
        timeoutMs: 10_000,
        cancelOnInterruption: false,
      },
    ]);
    expect(await run(tools, 'book', { people: 2 })).toEqual({ ok: true, result: 'of the server' });
    const [asked, tool, args, signal] = runWebhook.mock.calls[0] ?? [];
    expect([asked?.id, tool?.name, args, signal]).toEqual(['call_1', 'book', { people: 2 }, over.signal]);
    expect(runInPage).not.toHaveBeenCalled();
  });

  it('runs in the page of the caller if the agent says so', async () => {
    const tools = await open([{ type: 'function', name: 'show', runs: 'client' }]);
    expect(await run(tools, 'show', { page: 3 })).toEqual({ ok: true, result: 'of the page' });
    expect(runInPage).toHaveBeenCalledWith(expect.objectContaining({ name: 'show' }), { page: 3 }, over.signal);
    expect(runWebhook).not.toHaveBeenCalled();
  });
});

describe('a tool of the conversation', () => {
  it('is in the list, and is not run outside of it', async () => {
    const tools = await open([{ type: 'endCall' }, { type: 'pressKeys' }]);
    expect(names(tools)).toEqual(['endCall', 'pressKeys']);
    const tool = { ...named(await open([{ type: 'function', name: 'a' }]), 'a'), name: 'endCall' };
    expect(await tools.run(request, tool, {}, { signal: over.signal, say() {} })).toEqual({
      ok: false,
      error: 'There is no tool endCall.',
    });
  });
});

describe('a tool of the host', () => {
  it('has the properties that the host gave it', async () => {
    const tools = await open([{ type: 'host', name: 'find_table' }]);
    expect(tools.list).toMatchObject([
      {
        type: 'host',
        name: 'find_table',
        description: 'Finds a free table.',
        message: 'One moment.',
        async: true,
        timeoutMs: 4_000,
        cancelOnInterruption: true,
        parameters: { type: 'object' },
      },
    ]);
  });

  it('gets the description and message of the agent instead', async () => {
    const reference = { type: 'host', name: 'find_table', description: 'Looks.', message: 'I look.' };
    const tools = await open([reference]);
    expect(tools.list).toMatchObject([{ description: 'Looks.', message: 'I look.' }]);
  });

  it('runs with the call as it is then, its variables, and a key of its own', async () => {
    let present = call;
    execute.mockResolvedValue({ table: 4 });
    const tools = await open([{ type: 'host', name: 'find_table' }], { call: () => present });
    present = sampleCall({ ...call, status: 'in-progress' });
    const say = vi.fn();
    const running = tools.run(request, named(tools, 'find_table'), { people: 2 }, { signal: over.signal, say });
    expect(await running).toEqual({ ok: true, result: { table: 4 } });
    expect(execute).toHaveBeenCalledWith(
      { people: 2 },
      expect.objectContaining({
        call: present,
        organization,
        variables: { shop: 'Harbour' },
        toolCallId: 'call_1',
        idempotencyKey: `${call.id}:call_1`,
        say,
      }),
    );
  });

  it('gets no variables from a call that has none', async () => {
    const tools = await open([{ type: 'host', name: 'find_table' }], { call: () => sampleCall({ variables: null }) });
    await run(tools, 'find_table', { people: 2 });
    expect(execute.mock.calls[0]?.[1]).toMatchObject({ variables: {} });
  });

  it('is left out if the organization may not use it', async () => {
    const tools = await open([{ type: 'host', name: 'find_table' }], {
      organization: { id: otherOrgId, name: 'Other' },
    });
    expect(tools.list).toEqual([]);
    expect(warned).toEqual(['a tool is left out: the host does not offer it to this organization']);
  });
});

describe('the tools of an MCP server', () => {
  const url = 'https://mcp.example.com/mcp';
  const entry = { type: 'mcp', server: { url } };

  it('are listed within three seconds, as this call', async () => {
    const tools = await open([entry]);
    expect(server.opened).toMatchObject([{ server: { url }, orgId, callId: call.id }]);
    expect(server.listed).toEqual([3_000]);
    expect(tools.list).toMatchObject([
      { type: 'mcp', name: 'search', description: 'Does search.', parameters: served('search').parameters },
      { type: 'mcp', name: 'book', async: false, timeoutMs: 10_000, cancelOnInterruption: false },
    ]);
  });

  it('run under their name on the server, whatever the model calls them', async () => {
    server.tools = [served('find.table')];
    const tools = await open([{ ...entry, prefix: 'crm_', timeout_ms: 2_000, message: 'I look.' }]);
    expect(tools.list).toMatchObject([{ name: 'crm_find_table', timeoutMs: 2_000, message: 'I look.' }]);
    expect(await run(tools, 'crm_find_table', { people: 2 })).toEqual({ ok: true, result: 'of find.table' });
    expect(server.called).toEqual([
      {
        name: 'find.table',
        arguments: { people: 2 },
        toolCallId: 'call_1',
        timeoutMs: 2_000,
        signal: over.signal,
      },
    ]);
  });

  it('are only those that the agent allows', async () => {
    expect(names(await open([{ ...entry, allow: ['book', 'other'] }]))).toEqual(['book']);
  });

  it('are left out if the server does not list them, and the other tools stay', async () => {
    server.tools = new ToolServerError('refused', 'the server answered 401');
    expect(names(await open([entry, { type: 'endCall' }]))).toEqual(['endCall']);
    expect(warned).toEqual(['the tools of an MCP server are left out: it does not list them']);
  });

  it('are left out by a service without a client of such servers', async () => {
    sources = { ...sources, toolServers: undefined };
    expect(names(await open([entry, { type: 'endCall' }]))).toEqual(['endCall']);
    expect(warned).toEqual(['the tools of an MCP server are left out: the service has no client for it']);
  });

  it('keep their session until the call ends', async () => {
    await open([entry]);
    expect(server.closed).toBe(0);
    over.abort();
    expect(server.closed).toBe(1);
  });

  it('leave no session behind if the call has ended already', async () => {
    over.abort();
    await open([entry]);
    expect(server.closed).toBe(1);
  });
});

describe('the list of tools', () => {
  it('keeps the order of the agent', async () => {
    const tools = await open([
      { type: 'function', name: 'first' },
      { type: 'mcp', server: { name: 'crm' } },
      { type: 'host', name: 'find_table' },
      { type: 'endCall' },
    ]);
    expect(names(tools)).toEqual(['first', 'search', 'book', 'find_table', 'endCall']);
  });

  it('leaves out a tool whose name is taken, and runs the first', async () => {
    server.tools = [served('find_table'), served('endCall')];
    const tools = await open([
      { type: 'endCall' },
      { type: 'function', name: 'find_table' },
      { type: 'mcp', server: { name: 'crm' } },
    ]);
    expect(tools.list.map(({ type }) => type)).toEqual(['endCall', 'function']);
    expect(warned).toEqual(Array(2).fill('a tool is left out: its name is taken, or there are too many'));
    expect(await run(tools, 'find_table')).toEqual({ ok: true, result: 'of the server' });
    expect(server.called).toEqual([]);
  });

  it('tells two servers’ tools apart by their prefix', async () => {
    const tools = await open([
      { type: 'mcp', server: { name: 'one' }, allow: ['book'] },
      { type: 'mcp', server: { name: 'two' }, allow: ['book'], prefix: 'two_' },
    ]);
    expect(names(tools)).toEqual(['book', 'two_book']);
  });

  it('is limited to the maximum number of tools of one agent', async () => {
    server.tools = Array.from({ length: maxTools }, (_, n) => served(`tool_${n}`));
    const tools = await open([{ type: 'endCall' }, { type: 'mcp', server: { name: 'crm' } }]);
    expect(tools.list).toHaveLength(maxTools);
    expect(names(tools).at(-1)).toBe(`tool_${maxTools - 2}`);
    expect(warned).toHaveLength(1);
  });

  it('is empty for an agent without tools', async () => {
    expect((await open([])).list).toEqual([]);
  });
});
