import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { TelephonyHttp } from '@va/core/adapter';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createEngine } from '../../src/engine/engine.ts';
import { toNode } from '../../src/node.ts';
import { type Mounted, mount, mountings } from '../support/mounts.ts';
import { createProbeHost } from '../support/probe-host.ts';
import { Probe, probeRoutes } from '../support/probe-routes.ts';

const form = 'application/x-www-form-urlencoded';

interface Received {
  readonly url: string;
  readonly method: string;
  readonly signature: string | null;
  readonly body: string;
}

/** An adapter that records its requests and greets its sockets. */
class Adapter implements TelephonyHttp {
  readonly received: Received[] = [];
  readonly upgraded: string[] = [];
  /** Resolves when a socket that the adapter has not answered yet is closed. */
  closed: Promise<void> = Promise.resolve();
  readonly #sockets = new WebSocketServer({ noServer: true });

  async fetch(request: Request): Promise<Response> {
    const { url, method, headers } = request;
    this.received.push({ url, method, signature: headers.get('x-signature'), body: await request.text() });
    if (url.endsWith('/fails')) throw new Error('The adapter failed.');
    return new Response('<Response/>', { status: 202, headers: { 'content-type': 'text/xml' } });
  }

  upgrade(...[request, socket, head, url]: Parameters<NonNullable<TelephonyHttp['upgrade']>>): void {
    this.upgraded.push(url.href);
    if (url.pathname.endsWith('/waits')) {
      this.closed = new Promise((resolve) => socket.once('close', resolve));
      socket.resume();
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => webSocket.send('media'));
  }
}

const publicUrl = 'https://calls.example.com/outside';

function create(adapter: Adapter, socketsOnly: TelephonyHttp = {}): Parameters<typeof mount>[1] {
  const telephonyHttp = new Map<string, TelephonyHttp>([
    ['carrier', adapter],
    ['sockets', socketsOnly],
  ]);
  const { host } = createProbeHost({ telephonyHttp, publicUrl });
  return (options = {}) => createEngine(host, probeRoutes(new Probe()), options);
}

/** Resolves to the first message, or to the status of a refusal. */
function firstOf(url: string): Promise<string | number> {
  return new Promise((resolve, reject) => {
    const client = new WebSocket(url);
    client.on('message', (data) => {
      resolve(String(data));
      client.close();
    });
    client.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    client.on('error', reject);
  });
}

describe.each(mountings)('requests of telephony adapters, mounted on $name', (mounting) => {
  let adapter: Adapter;
  let mounted: Mounted;
  let base: string;

  beforeAll(async () => {
    adapter = new Adapter();
    mounted = await mount(mounting, create(adapter));
    mounted.server.on('upgrade', mounted.handler.upgrade);
    base = mounted.url.replace('/api/v1', '/telephony');
    // The handler learns its path, which only the host's router knows, from the first request.
    await fetch(`${mounted.url}/things/1`);
  });

  afterAll(async () => {
    await mounted.close();
  });

  it('survive a client that resets its connection before the adapter responds', async () => {
    const { hostname, port, pathname } = new URL(`${base}/carrier/waits`);
    const stranger = connect(Number(port), hostname);
    const headers = 'Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
    stranger.write(`GET ${pathname} HTTP/1.1\r\n${headers}\r\n`);
    await expect.poll(() => adapter.upgraded).toHaveLength(1);
    stranger.resetAndDestroy();
    await adapter.closed;
    expect(await firstOf(`${base.replace('http', 'ws')}/carrier/stream`)).toBe('media');
  });

  beforeEach(() => {
    adapter.received.length = 0;
    adapter.upgraded.length = 0;
  });

  it('are passed to their adapter with the public URL, the headers and the body', async () => {
    const response = await fetch(`${base}/carrier/calls?a=1`, {
      method: 'POST',
      headers: { 'content-type': form, 'x-signature': 'abc' },
      body: 'From=%2B3120&To=a+b',
    });
    expect([response.status, await response.text()]).toEqual([202, '<Response/>']);
    expect(response.headers.get('content-type')).toBe('text/xml');
    expect(adapter.received).toEqual([
      {
        url: `${publicUrl}/telephony/carrier/calls?a=1`,
        method: 'POST',
        signature: 'abc',
        body: 'From=%2B3120&To=a+b',
      },
    ]);
  });

  it('are limited to 64 KiB', async () => {
    const body = 'x'.repeat(65_537);
    const response = await fetch(`${base}/carrier/calls`, { method: 'POST', headers: { 'content-type': 'x/y' }, body });
    expect(response.status).toBe(413);
    expect(adapter.received).toEqual([]);
  });

  it('are refused with 500 and no details when the adapter fails', async () => {
    const response = await fetch(`${base}/carrier/fails`);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('The adapter failed');
  });

  it('are refused with 404 by adapters that accept WebSockets only', async () => {
    const response = await fetch(`${base}/sockets/calls`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'route_not_found' });
  });

  it('become WebSockets if they ask for an upgrade', async () => {
    expect(await firstOf(`${base.replace('http', 'ws')}/carrier/streams/1?t=2`)).toBe('media');
    expect(adapter.upgraded).toEqual([`${publicUrl}/telephony/carrier/streams/1?t=2`]);
  });

  it('are refused an upgrade by adapters without sockets', async () => {
    expect(await firstOf(`${base.replace('http', 'ws')}/sockets/1`)).toBe(404);
  });
});

it('an upgrade outside the path of adapters is left to the host', async () => {
  const adapter = new Adapter();
  const handler = create(adapter)({ basePath: '/voice' });
  const server = createServer(toNode(handler));
  const own = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (handler.upgrade(request, socket, head)) return;
    own.handleUpgrade(request, socket, head, (webSocket) => webSocket.send('the host’s own'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = typeof address === 'object' && address !== null ? `ws://127.0.0.1:${address.port}` : '';
  for (const path of ['/chat', '/telephony/carrier/1', '/voice/telephony/unknown/1', '/voice/api/v1/calls']) {
    expect([path, await firstOf(`${origin}${path}`)]).toEqual([path, 'the host’s own']);
  }
  expect(adapter.upgraded).toEqual([]);
  expect(await firstOf(`${origin}/voice/telephony/carrier/1`)).toBe('media');
  await handler.close();
  expect(await firstOf(`${origin}/voice/telephony/carrier/1`)).toBe(503);
  own.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('an upgrade behind a proxy that removes the path of the mount reaches its adapter', async () => {
  const adapter = new Adapter();
  const handler = create(adapter)();
  const inner = createServer(toNode(handler)).on('upgrade', handler.upgrade);
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve));
  const address = inner.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const proxy = createServer().on('upgrade', (request, socket, head) => {
    const upstream = connect(port, '127.0.0.1', () => {
      const path = (request.url ?? '').replace('/outside', '');
      const headers = Object.entries({ ...request.headers, host: 'internal:8080' });
      const lines = headers.map(([name, value]) => `${name}: ${String(value)}`);
      upstream.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      upstream.write(head);
      socket.pipe(upstream).pipe(socket);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const outer = proxy.address();
  const outside = typeof outer === 'object' && outer !== null ? outer.port : 0;
  expect(await firstOf(`ws://127.0.0.1:${outside}/outside/telephony/carrier/streams/1`)).toBe('media');
  expect(adapter.upgraded).toEqual([`${publicUrl}/telephony/carrier/streams/1`]);
  proxy.close();
  inner.close();
  await handler.close();
});
