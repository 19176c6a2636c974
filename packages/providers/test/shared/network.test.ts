import dns from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@va/core/adapter';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { ClientSocket } from '../../src/shared/connection/client-socket.ts';
import { providerFetch } from '../../src/shared/connection/network.ts';

const closers: (() => unknown)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const close of closers.splice(0).reverse()) close();
});

/** Imitates a DNS server that never answers: `getaddrinfo` occupies a thread of libuv's pool permanently. */
function stuckSystemLookup(): ReturnType<typeof vi.spyOn> {
  return vi.spyOn(dns, 'lookup').mockImplementation((() => {}) as unknown as typeof dns.lookup);
}

async function portOf(server: {
  address(): unknown;
  once(event: 'listening', done: () => void): unknown;
}): Promise<number> {
  await new Promise<void>((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

// Security: an unresponsive DNS server in libuv's thread pool stopped the requests of all tenants.
describe('connections to providers', () => {
  it('resolve names of WebSockets outside the thread pool', async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    closers.push(() => server.close());
    const port = await portOf(server);
    const stuck = stuckSystemLookup();
    await new Promise<void>((resolve, reject) => {
      const socket = new ClientSocket(`ws://localhost:${port}`, {}, systemClock, {
        onOpen: resolve,
        onText: () => {},
        onLost: ({ message }) => reject(new Error(message)),
      });
      closers.push(() => socket.close());
    });
    expect(stuck).not.toHaveBeenCalled();
  });

  it('resolve names of fetch outside the thread pool', async () => {
    const server = createServer((_, response) => response.end('here'));
    server.listen(0, '127.0.0.1');
    closers.push(() => server.close());
    const port = await portOf(server);
    const stuck = stuckSystemLookup();
    const answer = await providerFetch(`http://localhost:${port}/v1`, { method: 'OPTIONS' });
    expect(await answer.text()).toBe('here');
    expect(stuck).not.toHaveBeenCalled();
  });
});
