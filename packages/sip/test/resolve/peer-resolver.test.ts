import type { RandomBytes } from '@va/core/adapter';
import { type DnsPointer, DnsServer, type DnsService } from '@va/test-servers/mail-servers';
import { VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PeerResolver, peerOf } from '../../src/resolve/peer-resolver.ts';
import { systemSipDns } from '../../src/resolve/sip-dns.ts';
import { orderSrv } from '../../src/resolve/srv-order.ts';
import { tryEach } from '../../src/resolve/try-each.ts';
import type { Target } from '../../src/transport/transport-layer.ts';

let dns: DnsServer;
let clock: VirtualClock;
let resolver: PeerResolver;

const zeros: RandomBytes = (count) => new Uint8Array(count);

beforeEach(async () => {
  dns = await DnsServer.start();
  clock = new VirtualClock();
  resolver = new PeerResolver({ clock, random: zeros, dns: systemSipDns({ servers: [dns.address], timeoutMs: 200 }) });
});
afterEach(() => dns.close());

function srv(name: string, ...services: [target: string, priority: number, weight: number, port?: number][]): void {
  const records = services.map(
    ([target, priority, weight, port = 5_060]): DnsService => ({ target, priority, weight, port }),
  );
  dns.publish(name, { type: 'SRV', services: records });
}

function naptr(name: string, ...pointers: [order: number, service: string, replacement: string][]): void {
  const records = pointers.map(
    ([order, service, replacement]): DnsPointer => ({ order, preference: 10, flags: 's', service, replacement }),
  );
  dns.publish(name, { type: 'NAPTR', pointers: records });
}

function a(name: string, ...addresses: string[]): void {
  dns.publish(name, { type: 'A', addresses });
}

function show({ transport, address, port }: Target): string {
  return `${transport} ${address}:${port}`;
}

async function found(peer: Parameters<PeerResolver['resolve']>[0]): Promise<string[]> {
  return (await resolver.resolve(peer)).map(show);
}

describe('PeerResolver (RFC 3263 §4)', () => {
  it.each([
    ['sip:192.0.2.1', 'udp 192.0.2.1:5060'],
    ['sip:a@192.0.2.1:5070;transport=tcp', 'tcp 192.0.2.1:5070'],
    ['sips:192.0.2.1', 'tls 192.0.2.1:5061'],
    ['sip:[2001:db8::1];transport=TLS', 'tls 2001:db8::1:5061'],
    ['sip:x.test;maddr=192.0.2.9', 'udp 192.0.2.9:5060'],
  ])('uses %s without a lookup', async (uri, target) => {
    expect(await found(uri)).toEqual([target]);
    expect(dns.questions).toEqual([]);
  });

  it.each(['tel:+31', 'http://x', 'sip:x.test;transport=sctp', 'nothing'])('finds no target for %s', async (uri) => {
    expect(await resolver.resolve(uri)).toEqual([]);
  });

  it('looks up only the address when a port is given', async () => {
    a('x.test', '192.0.2.1', '192.0.2.2');
    dns.publish('x.test', { type: 'AAAA', addresses: ['2001:db8::1'] });
    expect(await found({ host: 'x.test.', port: 5_070 })).toEqual([
      'udp 192.0.2.1:5070',
      'udp 192.0.2.2:5070',
      'udp 2001:db8::1:5070',
    ]);
    expect(dns.questions.sort()).toEqual(['A x.test', 'AAAA x.test']);
  });

  it("uses the domain's order of transports, and the requested name for the certificate", async () => {
    naptr('x.test', [20, 'SIP+D2U', '_sip._udp.x.test'], [10, 'SIPS+D2T', '_sips._tcp.x.test'], [5, 'E2U+x', 'y']);
    srv('_sip._udp.x.test', ['one.test', 1, 0]);
    srv('_sips._tcp.x.test', ['one.test', 1, 0, 5_061]);
    a('one.test', '192.0.2.1');
    expect(await found('sip:x.test')).toEqual(['tls 192.0.2.1:5061', 'udp 192.0.2.1:5060']);
    expect(await found('sips:x.test')).toEqual(['tls 192.0.2.1:5061']);
    expect((await resolver.resolve('sips:x.test'))[0]?.serverName).toBe('x.test');
  });

  it('looks up each supported transport when the domain announces none', async () => {
    srv('_sip._tcp.x.test', ['one.test', 1, 0]);
    a('one.test', '192.0.2.1');
    expect(await found('sip:x.test')).toEqual(['tcp 192.0.2.1:5060']);
    expect(dns.questions).toContain('SRV _sip._udp.x.test');
  });

  it('falls back to the address and the default port without services', async () => {
    a('x.test', '192.0.2.1');
    expect(await found('sip:x.test')).toEqual(['udp 192.0.2.1:5060']);
    expect(await found({ host: 'x.test', transport: 'tls' })).toEqual(['tls 192.0.2.1:5061']);
  });

  it('orders by priority, and accepts that a domain offers the service nowhere', async () => {
    srv('_sip._udp.x.test', ['two.test', 2, 0, 5_062], ['one.test', 1, 0, 5_061]);
    srv('_sip._udp.none.test', ['', 0, 0, 0]);
    a('one.test', '192.0.2.1');
    a('two.test', '192.0.2.2');
    a('none.test', '192.0.2.3');
    expect(await found({ host: 'x.test', transport: 'udp' })).toEqual(['udp 192.0.2.1:5061', 'udp 192.0.2.2:5062']);
    expect(await found({ host: 'none.test', transport: 'udp' })).toEqual([]);
  });

  it('finds nothing when the name does not exist', async () => {
    expect(await found('sip:nobody.test')).toEqual([]);
  });
});

describe('orderSrv (RFC 2782)', () => {
  it('draws each server with the probability of its weight', () => {
    const records = [
      { target: 'one', priority: 1, weight: 30, port: 1 },
      { target: 'two', priority: 1, weight: 60, port: 1 },
      { target: 'none', priority: 1, weight: 0, port: 1 },
    ];
    const firsts = new Map<string, number>();
    for (let i = 0; i < 910; i++) {
      const [first] = orderSrv(records, () => i / 910);
      firsts.set(first?.target ?? '', (firsts.get(first?.target ?? '') ?? 0) + 1);
    }
    expect(Object.fromEntries(firsts)).toEqual({ none: 10, one: 300, two: 600 });
    expect(orderSrv(records, () => 0.5)).toHaveLength(3);
  });
});

describe('cached records', () => {
  it('are valid for their TTL, and looked up once for concurrent callers', async () => {
    dns.publish('x.test', { type: 'A', addresses: ['192.0.2.1'], ttlSeconds: 120 });
    const peer = { host: 'x.test', port: 5_060 };
    await Promise.all([found(peer), found(peer), found(peer)]);
    a('x.test', '192.0.2.2');
    await clock.advance(119_000);
    expect(await found(peer)).toEqual(['udp 192.0.2.1:5060']);
    expect(dns.questions.filter((each) => each === 'A x.test')).toHaveLength(1);
    await clock.advance(1_000);
    expect(await found(peer)).toEqual(['udp 192.0.2.2:5060']);
  });

  it('are used beyond their TTL while the DNS does not respond', async () => {
    a('x.test', '192.0.2.1');
    const peer = { host: 'x.test', port: 5_060 };
    await found(peer);
    dns.fail('x.test', 'SERVFAIL');
    await clock.advance(90_000);
    expect(await found(peer)).toEqual(['udp 192.0.2.1:5060']);
    dns.fail('x.test', null);
    dns.withdraw('x.test');
    await clock.advance(30_000);
    expect(await found(peer)).toEqual([]);
  });
});

describe('target that fails', () => {
  const peer = { host: 'x.test', port: 5_060 };
  const [one, two] = ['udp 192.0.2.1:5060', 'udp 192.0.2.2:5060'];

  beforeEach(() => a('x.test', '192.0.2.1', '192.0.2.2'));

  it('comes last for a time that doubles, until it responds again', async () => {
    const fail = async (): Promise<void> => {
      const target = (await resolver.resolve(peer)).find((each) => show(each) === one);
      if (target !== undefined) resolver.failed(target);
    };
    await fail();
    expect(await found(peer)).toEqual([two, one]);
    await clock.advance(30_000);
    expect(await found(peer)).toEqual([one, two]);
    await fail();
    await clock.advance(59_000);
    expect(await found(peer)).toEqual([two, one]);
    await clock.advance(1_000);
    const [target] = await resolver.resolve(peer);
    if (target !== undefined) resolver.succeeded(target);
    await fail();
    await clock.advance(30_000);
    expect(await found(peer)).toEqual([one, two]);
  });

  it('is followed by the next one, and avoided for its Retry-After', async () => {
    const tried: string[] = [];
    const attempt = (target: Target) => {
      tried.push(show(target));
      const answered = show(target) === two;
      return Promise.resolve(
        answered
          ? { type: 'answered' as const, value: 200 }
          : { type: 'failed' as const, value: 503, retryAfterMs: 90_000 },
      );
    };
    expect(await tryEach(resolver, await resolver.resolve(peer), attempt)).toBe(200);
    expect(tried).toEqual([one, two]);
    await clock.advance(89_000);
    expect(await found(peer)).toEqual([two, one]);
  });

  it('determines the result when all targets fail', async () => {
    const fail = () => Promise.resolve({ type: 'failed' as const, value: 503 });
    expect(await tryEach(resolver, await resolver.resolve(peer), fail)).toBe(503);
    expect(await tryEach(resolver, [], fail)).toBeNull();
  });
});

it('peerOf reads the peer of a URI', () => {
  expect(peerOf('sips:a@x.test:5071')).toEqual({ host: 'x.test', port: 5_071, transport: null, secure: true });
});
