import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { HostResolver, type ResolvedAddress } from '../../src/network/host-resolver.ts';
import { parseHosts } from '../../src/network/hosts-file.ts';

const found: readonly ResolvedAddress[] = [{ address: '192.0.2.1', family: 4, ttlSeconds: 60 }];
const shown = [{ address: '192.0.2.1', family: 4 }];

let clock: VirtualClock;
let asked: string[];
let cancelled: string[];

/** Never answers names that begin with `silent`. */
function resolver(options: { maxPerOrganization?: number; maxInAll?: number } = {}): HostResolver {
  return new HostResolver({
    ...{ clock, ...options },
    ask: (name, signal) => {
      asked.push(name);
      signal.addEventListener('abort', () => cancelled.push(name));
      if (name.startsWith('silent')) return new Promise(() => {});
      if (name.startsWith('absent')) return Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
      return Promise.resolve(found);
    },
  });
}

beforeEach(() => {
  clock = new VirtualClock();
  asked = [];
  cancelled = [];
});

describe('HostResolver', () => {
  it('returns an IP address without a lookup', async () => {
    expect(await resolver().lookup('192.0.2.9', { orgId: 'a' })).toEqual([{ address: '192.0.2.9', family: 4 }]);
    expect(asked).toEqual([]);
  });

  it('caches addresses for their time to live and shares concurrent lookups', async () => {
    const hosts = resolver();
    const both = [hosts.lookup('x.example', { orgId: 'a' }), hosts.lookup('X.EXAMPLE.', { orgId: 'b' })];
    expect(await Promise.all(both)).toEqual([shown, shown]);
    await clock.advance(59_000);
    await hosts.lookup('x.example', { orgId: 'a' });
    expect(asked).toEqual(['x.example']);
    await clock.advance(2_000);
    await hosts.lookup('x.example', { orgId: 'a' });
    expect(asked).toHaveLength(2);
  });

  it('caches for 5 s that a name does not exist', async () => {
    const hosts = resolver();
    const look = (): Promise<unknown> => hosts.lookup('absent.example', { orgId: 'a' }).catch(({ code }) => code);
    expect(await look()).toBe('lookup_failed');
    expect(await look()).toBe('lookup_failed');
    expect(asked).toHaveLength(1);
    await clock.advance(5_001);
    await look();
    expect(asked).toHaveLength(2);
  });

  it('cancels a lookup after its timeout', async () => {
    const looking = resolver()
      .lookup('silent.example', { orgId: 'a' })
      .catch(({ code }) => code);
    await clock.advance(5_000);
    expect(await looking).toBe('lookup_timeout');
    expect(cancelled).toEqual(['silent.example']);
  });

  it('cancels a lookup when its last waiting request is aborted', async () => {
    const hosts = resolver();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = hosts.lookup('silent.example', { orgId: 'a', signal: one.signal }).catch(({ code }) => code);
    const second = hosts.lookup('silent.example', { orgId: 'a', signal: two.signal }).catch(({ code }) => code);
    one.abort();
    expect(await first).toBe('lookup_aborted');
    expect(cancelled).toEqual([]);
    two.abort();
    expect(await second).toBe('lookup_aborted');
    expect(cancelled).toEqual(['silent.example']);
  });

  it('starts another lookup for a request that arrives just after the last one was aborted', async () => {
    const hosts = resolver();
    const aborter = new AbortController();
    const first = hosts.lookup('x.example', { orgId: 'a', signal: aborter.signal }).catch(({ code }) => code);
    aborter.abort();
    expect(await hosts.lookup('x.example', { orgId: 'b' })).toEqual(shown);
    expect([await first, asked]).toEqual(['lookup_aborted', ['x.example', 'x.example']]);
  });

  // Security: 40 names with silent servers delayed the webhooks of all tenants.
  it('limits the concurrent lookups of one organization without affecting others', async () => {
    const hosts = resolver({ maxPerOrganization: 10 });
    const slow = Array.from({ length: 40 }, (_, n) =>
      hosts.lookup(`silent${n}.example`, { orgId: 'a' }).catch(({ code }) => code),
    );
    expect(await hosts.lookup('x.example', { orgId: 'b' })).toEqual(shown);
    await clock.advance(5_000);
    const codes = await Promise.all(slow);
    expect(codes.filter((code) => code === 'lookup_timeout')).toHaveLength(10);
    expect(codes.filter((code) => code === 'lookup_limit')).toHaveLength(30);
    // The lookups have ended, so the organization may look up names again.
    expect(await hosts.lookup('y.example', { orgId: 'a' })).toEqual(shown);
  });
});

describe('parseHosts', () => {
  it('reads addresses, aliases and comments', () => {
    const names = parseHosts('127.0.0.1 localhost Local # comment\n\n::1\tlocalhost\n#192.0.2.1 no\nbad name\n');
    expect(Object.fromEntries(names)).toEqual({ localhost: ['127.0.0.1', '::1'], local: ['127.0.0.1'] });
  });
});
