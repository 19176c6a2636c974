import { expect, it } from 'vitest';
import { TrustedProxies } from '../../src/limits/trusted-proxies.ts';

const proxies = new TrustedProxies(['10.0.0.0/8', '192.0.2.1', 'fd00::/8']);

it.each([
  ['a direct client', '203.0.113.7', null, '203.0.113.7'],
  ['a client that forges the header', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['a proxy that tells nothing', '10.0.0.1', null, '10.0.0.1'],
  ['a client of a proxy', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['a client of a proxy that forges the header', '10.0.0.1', '198.51.100.1, 10.0.0.9, 203.0.113.7', '203.0.113.7'],
  ['a client of two proxies', '10.0.0.1', '198.51.100.1, 203.0.113.7, 192.0.2.1', '203.0.113.7'],
  ['a client within the network of the proxies', '10.0.0.1', '10.0.0.7', '10.0.0.7'],
  ['an IPv4 proxy of an IPv6 socket', '::ffff:10.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
  ['an IPv6 client', 'fd00::1', '2001:db8::7', '2001:db8::7'],
  ['addresses with ports', '10.0.0.1', '[2001:db8::7]:443, 192.0.2.1:80', '2001:db8::7'],
  ['text in the header', '10.0.0.1', '203.0.113.7, unknown', '10.0.0.1'],
  ['an unknown far end', undefined, '203.0.113.7', null],
])('trusted proxies › give the address of %s', (_, remote, forwarded, client) => {
  expect(proxies.clientOf(remote, forwarded)).toBe(client);
});

it('trusted proxies › read a bounded part of a long header, from its end', () => {
  const forged = Array.from({ length: 10_000 }, () => '10.0.0.2').join(', ');
  expect(proxies.clientOf('10.0.0.1', `${forged}, 203.0.113.7`)).toBe('203.0.113.7');
  expect(proxies.clientOf('10.0.0.1', `203.0.113.7, ${forged}`)).toBe('10.0.0.2');
});

it.each(['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', 'proxy.internal', '10.0.0.0/-1', 'fd00::/129'])(
  'trusted proxies › refuse the option %j',
  (proxy) => {
    expect(() => new TrustedProxies([proxy])).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  },
);
