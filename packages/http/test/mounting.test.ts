import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEngine } from '../src/engine/engine.ts';
import { type Mounted, mount, mountings } from './support/mounts.ts';
import { createProbeHost, type ProbeHost } from './support/probe-host.ts';
import { Probe, probeRoutes } from './support/probe-routes.ts';
import { openRaw, sendRaw } from './support/raw-http.ts';

const { Request: hostsRequest, Response: hostsResponse } = globalThis;
const isJson = { 'content-type': 'application/json' };

describe.each(mountings)('the handler mounted on $name', (mounting) => {
  let probe: Probe;
  let probed: ProbeHost;
  let mounted: Mounted;

  beforeAll(async () => {
    probe = new Probe();
    probed = createProbeHost();
    mounted = await mount(mounting, (options = {}) => createEngine(probed.host, probeRoutes(probe), options));
  });

  afterAll(async () => {
    await mounted.close();
  });

  beforeEach(() => {
    probed.logged.length = 0;
    probed.seen.length = 0;
    probe.signals.length = 0;
    probe.gate = Promise.resolve();
    Object.assign(probe, { pulled: 0, cancelled: 0, runs: 0 });
  });

  async function post(
    path: string,
    body: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = isJson,
  ): Promise<Response> {
    return await fetch(`${mounted.url}${path}`, { method: 'POST', body, headers, ...{ duplex: 'half' } });
  }

  it('passes the body, query, parameters and repeated headers to the route', async () => {
    const echoed = await post('/echo?a=%20b&c=', '{ "b":1.0,  "a":"\\u00e9 é" }');
    expect(await echoed.json()).toEqual({ body: { b: 1, a: 'é é' }, query: { a: ' b', c: '' } });
    const headers: [string, string][] = [
      ['x-many', '1'],
      ['x-many', '2'],
    ];
    const one = await fetch(`${mounted.url}/things/a%2Fb%20%C3%A9?q=1`, { headers });
    expect(await one.json()).toEqual({ value: { id: 'a/b é', header: '1, 2', query: { q: '1' } } });
  });

  it('reads the original bytes, or the JSON of what a parser of the host returned', async () => {
    const json = '{ "b":1.0,  "a":"\\u00e9 é" }';
    const text = await (await post('/bytes', json)).text();
    expect(text).toBe(mounting.losesBytes === true ? '{"b":1,"a":"é é"}' : json);
  });

  it('responds 404 to malformed paths, paths outside the API and unknown paths', async () => {
    for (const path of ['/things/%', '/things/%C3%28', '/things', '/things/', '/things/a/b', '//things/a', '']) {
      const response = await fetch(`${mounted.url}${path}`);
      const isFrameworks = mounting.name === 'fastify' && path.includes('%');
      expect([path, response.status]).toEqual([path, isFrameworks ? 400 : 404]);
      if (!isFrameworks) expect(await response.json()).toMatchObject({ code: 'route_not_found' });
    }
  });

  it('accepts a chunked body', async () => {
    const chunks = ['{"a":', '"é', '"}'].map((text) => new TextEncoder().encode(text));
    const body = new ReadableStream({
      async pull(controller) {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
    });
    expect(await (await post('/echo', body)).json()).toMatchObject({ body: { a: 'é' } });
  });

  it('drains a body that no route read, and serves the next request of the connection', async () => {
    const big = 'a'.repeat(200_000);
    const host = 'Host: x\r\n';
    const unread = `POST ${mounted.path}/unread HTTP/1.1\r\n${host}Content-Length: 200000\r\n\r\n${big}`;
    const withBody = `GET ${mounted.path}/things/1 HTTP/1.1\r\n${host}Content-Length: 3\r\n\r\nabc`;
    const last = `GET ${mounted.path}/things/2 HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
    const answer = await sendRaw(mounted.origin, `${unread}${withBody}${last}`);
    expect(answer.match(/HTTP\/1.1 200/g)).toHaveLength(3);
    expect(answer).toContain('"id":"2"');
  });

  it('refuses a body by its announced length, and serves the next request of the connection', async () => {
    const announced = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 1500000\r\n';
    const tooLarge = `POST ${mounted.path}/echo HTTP/1.1\r\n${announced}\r\n`;
    const last = `GET ${mounted.path}/things/2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const connection = openRaw(mounted.origin);
    connection.send(tooLarge);
    // A parser of the host may read the whole body first.
    if (mounting.isParsedBefore !== true) await connection.received(/body_too_large/);
    connection.send(`${' '.repeat(1_500_000)}${last}`);
    const answer = await connection.closed;
    expect(answer).toMatch(/^HTTP\/1.1 4/);
    expect(answer).toContain('"id":"2"');
  });

  it('sends 100 Continue to a client that expects it', async () => {
    const head =
      'Host: x\r\nContent-Type: application/json\r\nContent-Length: 7\r\nExpect: ' +
      '100-continue\r\nConnection: close';
    const connection = openRaw(mounted.origin);
    connection.send(`POST ${mounted.path}/echo HTTP/1.1\r\n${head}\r\n\r\n`);
    await connection.received(/100 Continue/);
    connection.send('{"a":1}');
    expect(await connection.closed).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /);
  });

  it('responds to HEAD as to GET, without the body', async () => {
    const get = await fetch(`${mounted.url}/things/1`);
    const head = await fetch(`${mounted.url}/things/1`, { method: 'HEAD' });
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    }
    expect(Number(head.headers.get('content-length'))).toBe((await get.arrayBuffer()).byteLength);
    expect(await head.text()).toBe('');
  });

  it('cancels the stream of a HEAD request', async () => {
    const head = await fetch(`${mounted.url}/stream`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    await vi.waitFor(() => expect(probe.cancelled).toBe(1));
  });

  it('sends no body with 204 and 304', async () => {
    const nothing = await fetch(`${mounted.url}/nothing`);
    expect([nothing.status, await nothing.text()]).toEqual([204, '']);
    const { headers } = await fetch(`${mounted.url}/things/1`);
    const known = await fetch(`${mounted.url}/things/1`, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect([known.status, await known.text()]).toEqual([304, '']);
    expect(known.headers.get('etag')).toBe(headers.get('etag'));
    expect(known.headers.has('content-type')).toBe(false);
  });

  it('reads a stream at the pace of the client, and cancels it when the client disconnects', async () => {
    const { socket, send } = openRaw(mounted.origin);
    socket.pause();
    send(`GET ${mounted.path}/stream HTTP/1.1\r\nHost: x\r\n\r\n`);
    await vi.waitFor(() => expect(probe.pulled).toBeGreaterThan(0));
    // Without a limit, the stream would be pulled at least once in each turn of the event loop that a request takes.
    for (let n = 0; n < 50; n += 1) await (await fetch(`${mounted.url}/things/1`)).text();
    expect(probe.pulled).toBeLessThan(50);
    socket.destroy();
    await vi.waitFor(() => expect(probe.cancelled).toBe(1));
    expect(probe.signals[0]?.aborted).toBe(true);
    expect(probed.logged).toEqual([]);
  });

  it('cuts off a response whose stream fails, so that it does not look complete, and logs the error', async () => {
    const answer = fetch(`${mounted.url}/broken`).then(
      async (response) => `${response.status} ${await response.text()}`,
    );
    // A Fetch server that reads the first bytes before it sends the headers can still respond 500.
    expect(await answer.catch(() => 'cut off')).toMatch(mounting.isNode ? /^cut off$/ : /^(cut off|500 (?!.*disk).*)$/);
    expect(probed.logged).toMatchObject([
      { message: 'response stream failed', fields: { path: `${mounted.path}/broken` } },
    ]);
  });

  it('aborts the signal when the client disconnects, and logs no error', async () => {
    let open = (): void => {};
    probe.gate = new Promise((resolve) => {
      open = resolve;
    });
    const controller = new AbortController();
    const answer = fetch(`${mounted.url}/waits`, { signal: controller.signal });
    await vi.waitFor(() => expect(probe.signals).toHaveLength(1));
    controller.abort();
    await expect(answer).rejects.toThrow();
    await vi.waitFor(() => expect(probe.signals[0]?.aborted).toBe(true));
    open();
    await mounted.handler.fetch(new Request('http://x/api/v1/things/1'));
    expect(probed.logged).toEqual([]);
  });

  it('does not abort the signal of a complete response', async () => {
    const answer = await sendRaw(
      mounted.origin,
      `GET ${mounted.path}/waits HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toContain('waited');
    await (await fetch(`${mounted.url}/things/1`)).text();
    expect(probe.signals.map((signal) => signal.aborted)).toEqual([false]);
  });

  it('stops reading a body when its client disconnects, and serves other requests', async () => {
    const received = once(mounted.server, 'request');
    const { socket, send } = openRaw(mounted.origin);
    send(`POST ${mounted.path}/bytes HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\nContent-Length: 100\r\n\r\nabc`);
    const [request] = await received;
    const broken = new Promise((resolve) => request.once('close', resolve));
    socket.destroy();
    await broken;
    expect((await fetch(`${mounted.url}/things/1`)).status).toBe(200);
    expect(probed.logged).toEqual([]);
  });

  it('sends each event at once, and ends the stream when the client disconnects', async () => {
    const controller = new AbortController();
    const response = await fetch(`${mounted.url}/events`, { signal: controller.signal });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    const first = await response.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toBe('id: 1\nevent: first\ndata: a\ndata: b\n\n');
    controller.abort();
    await vi.waitFor(() => expect(probe.signals[0]?.aborted).toBe(true));
  });

  it("passes the request to the host's authenticate, without the headers of proxies", async () => {
    const response = await fetch(`${mounted.url}/address?x=1`, {
      headers: {
        authorization: 'Bearer acme',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        'x-forwarded-prefix': '/evil',
        'x-custom': 'kept',
      },
    });
    expect(await response.text()).toBe(`${mounted.path} acme`);
    const [request] = probed.seen;
    expect(request?.headers.get('x-custom')).toBe('kept');
    expect(new URL(request?.url ?? '').origin).toBe(mounted.origin);
    expect(new URL(request?.url ?? '').search).toBe('?x=1');
    expect(request?.headers.has('transfer-encoding')).toBe(false);
  });

  it('reports the remote address of the connection, and not that of headers', async () => {
    const response = await fetch(`${mounted.url}/far-end`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    const { value } = (await response.json()) as { value: unknown };
    expect(String(value).replace('::ffff:', '')).toMatch(/^(?:127\.0\.0\.1|::1)$/);
  });

  it('prefixes Location with the path of its mount', async () => {
    const headers = { ...isJson, authorization: 'Bearer acme' };
    const made = await post('/made', '{"name":"x"}', headers);
    expect([made.status, made.headers.get('location')]).toEqual([201, `${mounted.path}/things/x`]);
    const later = await post('/also-made', '{"name":"later"}', headers);
    expect(later.status).toBe(202);
  });

  it('refuses a compressed body', async () => {
    const body = new Uint8Array(gzipSync('{"a":1}'));
    const response = await post('/echo', body, { ...isJson, 'content-encoding': 'gzip' });
    if (mounting.isParsedBefore === true) expect([200, 400]).toContain(response.status);
    else expect(response.status).toBe(415);
  });

  it('leaves the globals of the host unchanged', async () => {
    expect((await fetch(`${mounted.url}/things/1`)).status).toBe(200);
    expect(globalThis.Request).toBe(hostsRequest);
    expect(globalThis.Response).toBe(hostsResponse);
  });

  const onHostsWithRoutes = mounting.hasHostRoutes ? it : () => {};
  onHostsWithRoutes("leaves the host's own routes and parsers unchanged", async () => {
    expect(await (await fetch(`${mounted.origin}/host`)).text()).toBe('host');
    const response = await fetch(`${mounted.origin}/host`, { method: 'POST', body: '{"a":1}', headers: isJson });
    expect(await response.json()).toEqual({ parsed: { a: 1 } });
    expect((await fetch(`${mounted.origin}/nowhere`)).status).toBe(404);
    const beside = mounted.url.replace('/api/v1', '/api/v10');
    expect((await fetch(`${beside}/things/1`)).status).toBe(404);
  });

  it.each([
    ['a method that fetch does not know', 'TRACE', ''],
    ['an unknown method', 'PURGE', ''],
    ['two slashes', 'GET', '//evil.example/a'],
    ['an asterisk', 'OPTIONS', '*'],
    ['no path in the absolute form', 'GET', 'http://other.example'],
  ])('survives %s', async (_case, method, target) => {
    const path = target === '' ? `${mounted.path}/things/1` : target;
    const answer = await sendRaw(mounted.origin, `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 [245]\d\d /);
    expect((await fetch(`${mounted.url}/things/1`)).status).toBe(200);
  });

  const onNode = mounting.isNode ? it : () => {};
  onNode('accepts the absolute form of a request line, and an invalid Host header', async () => {
    for (const [target, host] of [
      [`http://other.example${mounted.path}/address`, 'other.example'],
      [`${mounted.path}/address`, 'a b/c?d'],
    ]) {
      const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer acme\r\nConnection: close\r\n\r\n`;
      expect(await sendRaw(mounted.origin, head)).toMatch(/^HTTP\/1.1 200 /);
    }
  });
});
