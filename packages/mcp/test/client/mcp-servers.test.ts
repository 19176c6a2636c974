import { createAddressPolicy } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { GuardedFetch } from '../../src/client/guarded-fetch.ts';
import { McpServers } from '../../src/client/mcp-servers.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const addresses = createAddressPolicy({});
const about = { orgId: 'org-1', callId: 'k1' } as const;

function started(): McpServers {
  const allow = ({ id }: { readonly id: string }): boolean => id === 'org-2';
  const servers = new McpServers({
    servers: new Map([['crm', { url: 'https://crm.internal/mcp', allow }]]),
    addresses,
    listCacheMs: 1_000,
  });
  servers.start({ clock: new VirtualClock(), logger: silentLogger });
  closers.push(() => servers.close());
  return servers;
}

describe('McpServers', () => {
  it.each(['crm', 'none', 'constructor'])(
    'fails alike for the server %s, whether it is not allowed or does not exist',
    async (name) => {
      const session = started().open({ ...about, server: { name } });
      const message = `This service has no MCP server ${name}.`;
      await expect(session.list({ timeoutMs: 1_000 })).rejects.toMatchObject({ message });
      const signal = new AbortController().signal;
      const call = { name: 'find', arguments: {}, toolCallId: 't1', timeoutMs: 1_000, signal };
      expect(await session.call(call)).toEqual({ ok: false, error: message });
      session.close();
    },
  );

  it('cannot be used before its start', () => {
    const servers = new McpServers({ servers: new Map(), addresses, listCacheMs: 1_000 });
    expect(() => servers.open({ ...about, server: { name: 'crm' } })).toThrow(
      expect.objectContaining({ code: 'invalid_state' }),
    );
  });
});

describe('GuardedFetch', () => {
  const guarded = (isOfHost = false) => {
    const guard = new GuardedFetch({ clock: new VirtualClock(), addresses });
    closers.push(() => guard.close());
    return guard.for('org-1', isOfHost);
  };

  it('declines the stream of the server’s own messages without a request', async () => {
    expect((await guarded()('https://mcp.example.com/mcp', { method: 'GET' })).status).toBe(405);
  });

  it.each(['ftp://mcp.example.com', 'file:///etc/passwd', 'ws://mcp.example.com'])(
    'refuses %s, also of the host',
    async (url) => {
      for (const isOfHost of [false, true]) {
        await expect(guarded(isOfHost)(url, { method: 'POST' })).rejects.toThrow(/https:\/\/ or http:\/\//);
      }
    },
  );

  it.each(['http://127.0.0.1:1/mcp', 'http://10.0.0.7/mcp', 'http://[::1]/mcp', 'http://169.254.169.254/latest'])(
    'refuses the address of %s for a customer',
    async (url) => {
      await expect(guarded()(url, { method: 'POST' })).rejects.toMatchObject({ code: 'refused_target' });
    },
  );
});
