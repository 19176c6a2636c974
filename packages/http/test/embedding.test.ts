import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { connect as connectHttp2, constants, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import compression from 'compression';
import express from 'express';
import Fastify from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createEngine } from '../src/engine/engine.ts';
import type { Handler } from '../src/engine/handler.ts';
import { toExpress } from '../src/express.ts';
import { toFastify } from '../src/fastify.ts';
import { toNode } from '../src/node.ts';
import { mount, mountings } from './support/mounts.ts';
import { createProbeHost, type ProbeHost } from './support/probe-host.ts';
import { Probe, probeRoutes } from './support/probe-routes.ts';
import { sendRaw } from './support/raw-http.ts';

let server: Server;
const isJson = { 'content-type': 'application/json' };

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function listen(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

function probeHandler(probed: ProbeHost = createProbeHost()): Handler {
  return createEngine(probed.host, probeRoutes(new Probe()), {});
}

describe('the API inside a host', () => {
  it('names the fix for a body that was read and not kept', async () => {
    const probed = createProbeHost();
    const handle = toNode(probeHandler(probed));
    const app = Fastify();
    app.all('/*', async (request, reply) => {
      reply.hijack();
      handle(request.raw, reply.raw);
    });
    await app.ready();
    const url = await listen((request, response) => app.routing(request, response));
    const response = await fetch(`${url}/api/v1/echo`, { method: 'POST', body: '{"a":1}', headers: isJson });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({
      code: 'internal_error',
      message: expect.stringContaining('toFastify'),
    });
    expect(probed.logged).toHaveLength(1);
    expect((await fetch(`${url}/api/v1/things/1`)).status).toBe(200);
  });

  it("keeps the parsers and the not-found page of fastify's own routes", async () => {
    const app = Fastify();
    app.addContentTypeParser('text/csv', { parseAs: 'string' }, async (_request: unknown, body: string) => [body]);
    await app.register(toFastify(probeHandler()), { prefix: '/voice' });
    app.post('/host', async (request) => ({ parsed: request.body }));
    await app.ready();
    const url = await listen((request, response) => app.routing(request, response));
    for (const path of ['/host', '/voice/api/v1/bytes']) {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        body: 'a,b',
        headers: { 'content-type': 'text/csv' },
      });
      expect(await response.text()).toBe(path === '/host' ? '{"parsed":["a,b"]}' : 'a,b');
    }
    expect(await (await fetch(`${url}/voice/other`)).json()).toMatchObject({
      message: 'Route GET:/voice/other not found',
    });
  });

  it("sends headers that the host's middleware set before it", async () => {
    const places: Record<string, [string, string]> = {
      'express below a path': ['vary', 'X-Host, Accept'],
      fastify: ['x-hook', 'ran'],
      'koa below a path': ['x-middleware', 'ran'],
      hono: ['x-middleware', 'ran'],
    };
    for (const mounting of mountings.filter(({ name }) => name in places)) {
      const mounted = await mount(mounting, () => probeHandler());
      server = mounted.server;
      const response = await fetch(`${mounted.url}/nowhere`);
      expect(response.status).toBe(404);
      const [name = '', value = ''] = places[mounting.name] ?? [];
      expect([mounting.name, response.headers.get(name)]).toEqual([mounting.name, value]);
      const cookies = mounting.name.startsWith('express') ? ['host=1', 'more=2'] : [];
      expect(response.headers.getSetCookie()).toEqual(cookies);
      expect(response.headers.has('x-too-late')).toBe(false);
      await mounted.close();
    }
    await listen(() => {});
  });

  it("leaves the host's WebSockets to the host", async () => {
    const url = await listen(toNode(probeHandler()));
    const sockets = new WebSocketServer({ noServer: true });
    server.on('upgrade', (request, socket, head) => {
      sockets.handleUpgrade(request, socket, head, (webSocket) => webSocket.send(`hello ${request.url}`));
    });
    const client = new WebSocket(`${url.replace('http', 'ws')}/api/v1/things/1`);
    expect(await new Promise((resolve) => client.on('message', (data) => resolve(String(data))))).toBe(
      'hello /api/v1/things/1',
    );
    client.close();
    expect((await fetch(`${url}/api/v1/things/1`)).status).toBe(200);
    sockets.close();
  });

  it('serves an upgrade request as any other one if the host has no WebSockets', async () => {
    const url = await listen(toNode(probeHandler()));
    const head = 'Host: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n';
    expect(await sendRaw(url, `GET /api/v1/things/1 HTTP/1.1\r\n${head}`)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('sends events at once through middleware that compresses', async () => {
    const app = express();
    app.use(compression({ filter: () => true, threshold: 0 }), toExpress(probeHandler()));
    const url = await listen(app);
    const controller = new AbortController();
    const response = await fetch(`${url}/api/v1/events`, {
      signal: controller.signal,
      headers: { 'accept-encoding': 'gzip' },
    });
    const first = await response.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toContain('event: first');
    controller.abort();
    const compressed = await fetch(`${url}/api/v1/things/1`, { headers: { 'accept-encoding': 'gzip' } });
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    expect(compressed.headers.get('vary')).toContain('Accept-Encoding');
    expect(await compressed.json()).toMatchObject({ value: { id: '1' } });
  });

  it("finds its path with node's mount inside express", async () => {
    const app = express();
    app.use('/voice', toNode(probeHandler()));
    const url = await listen(app);
    const response = await fetch(`${url}/voice/api/v1/address`, { headers: { authorization: 'Bearer acme' } });
    expect(await response.text()).toBe('/voice/api/v1 acme');
  });

  it.each(['/voice/api/v1', '/voice/api/v1/'])('can be mounted at %s', async (path) => {
    const app = express();
    app.use(path, toExpress(probeHandler()));
    const url = await listen(app);
    const response = await fetch(`${url}/voice/api/v1/address`, { headers: { authorization: 'Bearer acme' } });
    expect(await response.text()).toBe('/voice/api/v1 acme');
  });

  it('passes requests for other paths on to the host', async () => {
    const app = express();
    app.use(toExpress(probeHandler()));
    app.get(['/api/v2', '/api/v10', '/'], (request, response) => {
      response.send(`host ${request.path}`);
    });
    const url = await listen(app);
    for (const path of ['/api/v2', '/api/v10', '/'])
      expect(await (await fetch(`${url}${path}`)).text()).toBe(`host ${path}`);
    expect(await (await fetch(`${url}/api/v1/nothing-here`)).json()).toMatchObject({ code: 'route_not_found' });
  });

  it('disconnects a client that sends far more than the route reads', async () => {
    const url = await listen(toNode(probeHandler()));
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1_048_576;
        controller.enqueue(new Uint8Array(1_048_576));
      },
    });
    const answer = fetch(`${url}/api/v1/unread`, { method: 'POST', body, ...{ duplex: 'half' } });
    await answer.then((response) => response.text()).catch(() => 'cut off');
    let before = -1;
    await vi.waitFor(
      () => {
        const isStill = before === sent;
        before = sent;
        expect(isStill).toBe(true);
      },
      { interval: 200 },
    );
    expect(sent).toBeLessThan(60 * 1_048_576);
  });

  it('serves HTTP/2', async () => {
    const probe = new Probe();
    const handle = toNode(createEngine(createProbeHost().host, probeRoutes(probe), {}));
    await listen(() => {});
    const http2Server = createHttp2Server((request, response) => {
      // The compatibility API of node. No mount may need the parts of HTTP/1 that it lacks.
      Reflect.apply(handle, undefined, [request, response]);
    });
    await new Promise<void>((resolve) => http2Server.listen(0, '127.0.0.1', resolve));
    const { port } = http2Server.address() as AddressInfo;
    const client = connectHttp2(`http://127.0.0.1:${port}`);
    const ask = async (headers: OutgoingHttpHeaders, body?: string): Promise<string> => {
      const stream = client.request(headers);
      stream.end(body);
      const [answered] = await once(stream, 'response');
      const chunks = await stream.toArray();
      return `${answered[':status']} ${Buffer.concat(chunks)}`;
    };
    expect(await ask({ ':path': '/api/v1/address', authorization: 'Bearer acme' })).toBe('200 /api/v1 acme');
    const post = { ':method': 'POST', 'content-type': 'application/json' };
    expect(await ask({ ...post, ':path': '/api/v1/echo' }, '{"a":1}')).toBe('200 {"body":{"a":1},"query":{}}');
    expect(await ask({ ...post, ':path': '/api/v1/unread' }, 'x'.repeat(200_000))).toBe('200 {"value":"unread"}');
    const stream = client.request({ ':path': '/api/v1/stream' });
    await once(stream, 'data');
    stream.close(constants.NGHTTP2_CANCEL);
    await vi.waitFor(() => expect(probe.cancelled).toBe(1));
    expect(await ask({ ':path': '/api/v1/waits' })).toBe('200 {"value":"waited"}');
    expect(probe.signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    client.close();
    await new Promise((resolve) => http2Server.close(resolve));
  });

  it('ends event streams and awaits other responses when it is closed', async () => {
    const probe = new Probe();
    const handler = createEngine(createProbeHost().host, probeRoutes(probe), {});
    const url = await listen(toNode(handler));
    let open = (): void => {};
    probe.gate = new Promise((resolve) => {
      open = resolve;
    });
    const events = await fetch(`${url}/api/v1/events`);
    const waiting = fetch(`${url}/api/v1/waits`);
    await vi.waitFor(() => expect(probe.signals).toHaveLength(2));
    const download = await fetch(`${url}/api/v1/stream`);
    let isClosed = false;
    const closing = handler.close().then(() => {
      isClosed = true;
    });
    expect(await events.text()).toContain('event: first');
    const refused = await fetch(`${url}/api/v1/things/1`);
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'unavailable', retry_after: 5 }]);
    open();
    expect((await waiting).status).toBe(200);
    expect(isClosed).toBe(false);
    await download.body?.cancel();
    await closing;
  });
});
