import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import type { TelephonyHttp } from '@va/core/adapter';
import { silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { BytesBody } from '../../src/body/bytes-body.ts';
import { TrustedProxies } from '../../src/limits/trusted-proxies.ts';
import type { HttpRequest } from '../../src/message/http-request.ts';
import { TelephonyRequests } from '../../src/telephony/telephony-requests.ts';
import { requestOf } from '../support/request.ts';

function setUp(adapter: TelephonyHttp, publicUrl?: string) {
  const telephonyHttp = new Map([['carrier', adapter]]);
  const logged: string[] = [];
  const logger = { ...silentLogger, error: (_fields: object, message: string) => void logged.push(message) };
  const host = { telephonyHttp, logger, ...(publicUrl === undefined ? {} : { publicUrl }) };
  const requests = new TelephonyRequests(host, new TrustedProxies(['10.0.0.0/8']));
  return { requests, logged };
}

function posted(path: string, { search = '', text = '', method = 'POST' } = {}): HttpRequest {
  const request = requestOf({ method, body: new BytesBody(Buffer.from(text)) });
  const toRequest = () => new Request(`http://internal:3000${path}`, { method, headers: { 'x-signature': 's' } });
  return { ...request, path, search, toRequest };
}

/** An upgrade whose answer on the socket the test reads. */
function upgraded(url: string, headers: Readonly<Record<string, string>> = {}) {
  const socket = new PassThrough();
  const request = { url, headers: { host: 'node-1', ...headers }, socket: { remoteAddress: '10.0.0.1' } };
  const answer = (): string => String(socket.read() ?? '');
  return { request: request as unknown as IncomingMessage, socket, answer };
}

describe('TelephonyRequests.serve', () => {
  const echo: TelephonyHttp = {
    fetch: async (request) =>
      Response.json({
        url: request.url,
        method: request.method,
        signature: request.headers.get('x-signature'),
        text: await request.text(),
      }),
  };
  const served = async (requests: TelephonyRequests, request: HttpRequest, basePath = '/voice'): Promise<unknown> => {
    const response = await requests.serve(request, basePath);
    return response === null ? null : await new Response(response.body as ReadableStream).json();
  };

  it('passes on the request at the public URL, which the carrier has signed', async () => {
    const { requests } = setUp(echo, 'https://example.com/voice');
    const request = posted('/voice/telephony/carrier/status/1', { search: 'a=1', text: 'b=2' });
    expect(await served(requests, request)).toEqual({
      ...{ url: 'https://example.com/voice/telephony/carrier/status/1?a=1', method: 'POST' },
      ...{ signature: 's', text: 'b=2' },
    });
  });

  it('passes on the host of the request without a public URL', async () => {
    const { requests } = setUp(echo);
    expect(await served(requests, posted('/voice/telephony/carrier'))).toMatchObject({
      url: 'http://internal:3000/telephony/carrier',
    });
  });

  it('accepts the path without its base, where a router removed it', async () => {
    const { requests } = setUp(echo, 'https://example.com/voice');
    expect(await served(requests, posted('/telephony/carrier/voice'))).toMatchObject({
      url: 'https://example.com/voice/telephony/carrier/voice',
    });
  });

  it('reads no body of GET', async () => {
    const { requests } = setUp(echo);
    const request = posted('/voice/telephony/carrier', { method: 'GET', text: 'ignored' });
    expect(await served(requests, request)).toMatchObject({ method: 'GET', text: '' });
  });

  it.each(['/voice/telephony/other/voice', '/voice/api/v1/calls', '/voice/telephony', '/other/telephony/carrier'])(
    'leaves the path %s to others',
    async (path) => {
      const { requests } = setUp(echo);
      expect(await served(requests, posted(path))).toBeNull();
      expect(requests.covers(path, '/voice')).toBe(false);
    },
  );

  it('returns the status and headers of the adapter', async () => {
    const headers = { 'content-type': 'text/xml', 'x-a': '1' };
    const { requests } = setUp({ fetch: async () => new Response('<Response/>', { status: 202, headers }) });
    expect(await requests.serve(posted('/telephony/carrier'), '')).toMatchObject({ status: 202, headers });
  });

  it('refuses a body of more than 64 KiB', async () => {
    const { requests } = setUp(echo);
    const request = posted('/telephony/carrier', { text: 'x'.repeat(65_537) });
    await expect(requests.serve(request, '')).rejects.toMatchObject({ status: 413 });
    expect(await served(requests, posted('/telephony/carrier', { text: 'x'.repeat(65_536) }), '')).not.toBeNull();
  });

  it('refuses requests to an adapter of WebSockets alone', async () => {
    const { requests } = setUp({});
    await expect(requests.serve(posted('/telephony/carrier'), '')).rejects.toMatchObject({ status: 404 });
  });
});

describe('TelephonyRequests.upgrade', () => {
  it('passes on the socket, its public URL and the address of the client', () => {
    const seen: unknown[] = [];
    const adapter: TelephonyHttp = {
      upgrade: (_request, _socket, _head, url, clientAddress) => void seen.push(url.href, clientAddress),
    };
    const { requests } = setUp(adapter, 'https://example.com/voice');
    const { request, socket } = upgraded('/voice/telephony/carrier/stream?a=1', { 'x-forwarded-for': '203.0.113.7' });
    expect(requests.upgrade(request, socket, Buffer.alloc(0), ['', '/voice'])).toBe(true);
    expect(seen).toEqual(['https://example.com/voice/telephony/carrier/stream?a=1', '203.0.113.7']);
  });

  it('leaves the socket of another path untouched', () => {
    const { requests } = setUp({ upgrade: () => {} });
    const { request, socket, answer } = upgraded('/other');
    expect(requests.upgrade(request, socket, Buffer.alloc(0), ['', '/voice'])).toBe(false);
    expect([answer(), socket.destroyed, socket.listenerCount('error')]).toEqual(['', false, 0]);
  });

  it('refuses an upgrade that its adapter does not take', () => {
    const { requests } = setUp({ fetch: async () => new Response() });
    const { request, socket, answer } = upgraded('/telephony/carrier');
    expect(requests.upgrade(request, socket, Buffer.alloc(0), [''])).toBe(true);
    expect(answer()).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('refuses upgrades once it is closed', () => {
    const { requests } = setUp({ upgrade: () => expect.fail('The adapter was called.') });
    requests.close();
    const { request, socket, answer } = upgraded('/telephony/carrier');
    expect(requests.upgrade(request, socket, Buffer.alloc(0), [''])).toBe(true);
    expect(answer()).toMatch(/^HTTP\/1\.1 503 /);
  });

  it('refuses an upgrade in which the adapter throws, and logs it', () => {
    const adapter: TelephonyHttp = {
      upgrade() {
        throw new Error('no');
      },
    };
    const { requests, logged } = setUp(adapter);
    const { request, socket, answer } = upgraded('/telephony/carrier');
    requests.upgrade(request, socket, Buffer.alloc(0), ['']);
    expect(answer()).toMatch(/^HTTP\/1\.1 500 /);
    expect(logged).toEqual(['upgrade failed']);
  });
});
