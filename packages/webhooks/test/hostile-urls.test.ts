import { systemClock } from '@va/core/adapter';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhooks } from '../src/index.ts';
import { answerJson, type CustomerServer, startCustomerServer } from './support/customer-server.ts';
import { testHost, webhook } from './support/dispatcher.ts';

/** Messages of refused URLs. */
const notPublic = /not a target that this service may contact/;
const notHttp = /not an http or https URL/;

/** `{port}` is replaced by the port of a local server, which records the requests that get through. */
const hostile: readonly (readonly [url: string, why: string, message: RegExp])[] = [
  ['http://127.0.0.1:{port}/', 'loopback', notPublic],
  ['http://127.1:{port}/', 'loopback, two parts', notPublic],
  ['http://127.255.255.254:{port}/', 'loopback, the far end of its network', notPublic],
  ['http://0x7f000001:{port}/', 'loopback in hexadecimal', notPublic],
  ['http://0x7f.0x0.0x0.0x1:{port}/', 'loopback in hexadecimal parts', notPublic],
  ['http://2130706433:{port}/', 'loopback as one number', notPublic],
  ['http://017700000001:{port}/', 'loopback in octal', notPublic],
  ['http://0177.0.0.01:{port}/', 'loopback in octal parts', notPublic],
  ['http://①②⑦.0.0.1:{port}/', 'loopback in other digits', notPublic],
  ['http://127。0。0。1:{port}/', 'loopback with other dots', notPublic],
  ['http://127.0.0.1.:{port}/', 'loopback with a dot at the end', notPublic],
  ['http://%31%32%37.0.0.1:{port}/', 'loopback, percent-encoded', notPublic],
  ['http://0.0.0.0:{port}/', 'this host', notPublic],
  ['http://0:{port}/', 'this host, in short', notPublic],
  ['http://[::]:{port}/', 'this host, IPv6', notPublic],
  ['http://[::1]:{port}/', 'loopback, IPv6', notPublic],
  ['http://[0:0:0:0:0:0:0:1]:{port}/', 'loopback, IPv6 in full', notPublic],
  ['http://[::ffff:127.0.0.1]:{port}/', 'loopback, IPv4-mapped', notPublic],
  ['http://[::ffff:7f00:1]:{port}/', 'loopback, IPv4-mapped in hexadecimal', notPublic],
  ['http://[::127.0.0.1]:{port}/', 'loopback, IPv4-compatible', notPublic],
  ['http://[64:ff9b::7f00:1]:{port}/', 'loopback through NAT64', notPublic],
  ['http://[2002:7f00:1::]:{port}/', 'loopback through 6to4', notPublic],
  ['http://[2001:0:7f00:1::]:{port}/', 'Teredo', notPublic],
  ['http://localhost:{port}/', 'a name of this host', notPublic],
  ['http://LOCALHOST:{port}/', 'a name of this host, in capitals', notPublic],
  ['http://customer.example@127.0.0.1:{port}/', 'loopback behind a user that looks like a host', notPublic],
  ['http://127.0.0.1:{port}#@customer.example/', 'loopback before a fragment that looks like a host', notPublic],
  ['http://127.0.0.1:{port}\\@customer.example/', 'loopback before a backslash', notPublic],
  ['http://10.0.0.1/', 'a private network', notPublic],
  ['http://172.31.255.255/', 'a private network', notPublic],
  ['http://192.168.0.1/', 'a private network', notPublic],
  ['http://[fd00::1]/', 'a private network, IPv6', notPublic],
  ['http://100.100.100.200/', 'a carrier’s network, and metadata in one cloud', notPublic],
  ['http://169.254.169.254/latest/meta-data/', 'metadata in most clouds', notPublic],
  ['http://[::ffff:169.254.169.254]/', 'metadata, IPv4-mapped', notPublic],
  ['http://[fe80::1]/', 'a link', notPublic],
  ['http://[fd00:ec2::254]/', 'metadata, IPv6', notPublic],
  ['http://224.0.0.1/', 'multicast', notPublic],
  ['http://255.255.255.255/', 'broadcast', notPublic],
  ['https://127.0.0.1:{port}/', 'loopback over TLS', notPublic],
  ['file:///etc/passwd', 'a file', notHttp],
  ['gopher://127.0.0.1:{port}/_GET', 'another protocol', notHttp],
  ['data:application/json,{}', 'no place at all', notHttp],
  ['//127.0.0.1:{port}/', 'no protocol', notHttp],
];

let server: CustomerServer;

beforeAll(async () => {
  server = await startCustomerServer((response) => answerJson(response, {}));
});

afterAll(async () => {
  await server.close();
});

async function ask(url: string): Promise<unknown> {
  const dispatcher = webhooks();
  dispatcher.start(testHost(systemClock));
  const options = { timeoutMs: 2_000, signal: new AbortController().signal };
  const outcome = await dispatcher.request(webhook(url, 'tool-calls'), options);
  await dispatcher.close({ drainMs: 0 });
  return outcome;
}

describe('hostile URLs', () => {
  it('are at least forty different URLs', () => {
    expect(new Set(hostile.map(([url]) => url)).size).toBeGreaterThanOrEqual(40);
  });

  it.each(hostile)('are refused: %s (%s)', async (url, _why, message) => {
    const outcome = await ask(url.replace('{port}', new URL(server.url).port));
    expect(outcome).toMatchObject({ ok: false, reason: 'refused', message: expect.stringMatching(message) });
    expect(server.received).toEqual([]);
  });
});

describe('redirect to a private address', () => {
  it('is reported as the response, and not followed', async () => {
    const inside = server.url;
    const outside = await startCustomerServer((response) => response.writeHead(302, { location: inside }).end());
    const dispatcher = webhooks({ allowPrivateTargets: ({ port }) => port === new URL(outside.url).port });
    dispatcher.start(testHost(systemClock));
    const options = { timeoutMs: 2_000, signal: new AbortController().signal };
    const outcome = await dispatcher.request(webhook(outside.url, 'tool-calls'), options);
    expect(outcome).toMatchObject({ ok: false, reason: 'status', status: 302 });
    expect(server.received).toEqual([]);
    await dispatcher.close({ drainMs: 0 });
    await outside.close();
  });
});
