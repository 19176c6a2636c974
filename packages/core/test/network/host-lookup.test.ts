import { createSocket } from 'node:dgram';
import { lookup as systemLookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHostLookup } from '../../src/network/host-lookup.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Starts a name server that receives queries and never answers. */
async function silentServer(): Promise<{ readonly address: string; questions: () => number }> {
  const socket = createSocket('udp4');
  let questions = 0;
  socket.on('message', () => {
    questions += 1;
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  closers.push(() => socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, questions: () => questions };
}

function ask(lookup: LookupFunction, name: string, options: Parameters<LookupFunction>[1] = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    lookup(name, options, (error, address) => (error === null ? resolve(address) : reject(error)));
  });
}

describe('the host lookup', () => {
  it('does not block file reads or other lookups while a name server never answers', async () => {
    const server = await silentServer();
    const lookup = createHostLookup({ servers: [server.address], timeoutMs: 60_000 });
    let settled = 0;
    // More lookups than libuv's thread pool has threads.
    for (let i = 0; i < 20; i++) {
      void ask(lookup, `host-${i}.example`)
        .catch(() => {})
        .finally(() => {
          settled += 1;
        });
    }
    expect((await readFile(import.meta.filename)).length).toBeGreaterThan(0);
    expect((await systemLookup('localhost')).address).toBeTruthy();
    expect(settled).toBe(0);
  });

  it('fails when the name server has not answered in time', async () => {
    const server = await silentServer();
    const lookup = createHostLookup({ servers: [server.address], timeoutMs: 50 });
    await expect(ask(lookup, 'api.example')).rejects.toMatchObject({ code: 'lookup_timeout' });
    expect(server.questions()).toBeGreaterThan(0);
  });

  it('returns one address or all addresses of the requested family', async () => {
    const found = [
      { address: '192.0.2.1', family: 4, ttlSeconds: 60 },
      { address: '2001:db8::1', family: 6, ttlSeconds: 60 },
    ];
    const lookup = createHostLookup({ ask: () => Promise.resolve(found) });
    expect(await ask(lookup, 'api.example')).toBe('192.0.2.1');
    expect(await ask(lookup, 'api.example', { family: 6 })).toBe('2001:db8::1');
    expect(await ask(lookup, 'api.example', { all: true })).toHaveLength(2);
    const onlyFourth = createHostLookup({ ask: () => Promise.resolve(found.slice(0, 1)) });
    await expect(ask(onlyFourth, 'api.example', { family: 'IPv6' })).rejects.toThrow('no address of that family');
  });
});
