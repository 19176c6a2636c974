import { describe, expect, it } from 'vitest';
import type { Flow } from '../../src/transport/flow.ts';
import { type Release, UntrustedSourceLimits } from '../../src/transport/untrusted-source-limits.ts';
import { fakeFlow } from '../support/fake-flow.ts';

function from(address: string): Flow {
  return { ...fakeFlow(), remote: { address, port: 5_060 } };
}

const nobody = (): boolean => false;

function takeAll(take: () => Release | null, times: number): Release[] {
  return Array.from({ length: times }, take).filter((each) => each !== null);
}

describe('UntrustedSourceLimits', () => {
  it.each(['takeRequest', 'takeCall'] as const)('limits the concurrent resources of one source (%s)', (take) => {
    const limits = new UntrustedSourceLimits({ requests: 3, calls: 3 }, nobody);
    const taken = takeAll(() => limits[take](from('192.0.2.1')), 10);
    expect(taken).toHaveLength(3);
    expect(limits[take](from('192.0.2.2'))).not.toBeNull();
    taken[0]?.();
    expect(takeAll(() => limits[take](from('192.0.2.1')), 10)).toHaveLength(1);
  });

  it('counts the /64 of an IPv6 address as one source', () => {
    const limits = new UntrustedSourceLimits({ calls: 1 }, nobody);
    expect(limits.takeCall(from('2001:db8:0:1::1'))).not.toBeNull();
    expect(limits.takeCall(from('2001:db8:0:1:ffff::2'))).toBeNull();
    expect(limits.takeCall(from('2001:db8:0:2::1'))).not.toBeNull();
  });

  it('limits requests of all sources together, and stores no source that occupies nothing', () => {
    const limits = new UntrustedSourceLimits({ requestsInAll: 500 }, nobody);
    const taken: Release[] = [];
    for (let i = 0; i < 100_000; i++) {
      const release = limits.takeRequest(from(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`));
      if (release !== null) taken.push(release);
    }
    expect(taken).toHaveLength(500);
    expect(limits.sources).toBe(500);
    for (const release of taken) release();
    expect(limits.sources).toBe(0);
    expect(limits.takeRequest(from('192.0.2.1'))).not.toBeNull();
  });

  it('exempts trusted sources, also at the limit of untrusted ones', () => {
    const limits = new UntrustedSourceLimits(
      { requestsInAll: 1, calls: 1 },
      (flow) => flow.remote.address === '192.0.2.9',
    );
    expect(limits.takeRequest(from('192.0.2.1'))).not.toBeNull();
    expect(limits.takeRequest(from('192.0.2.1'))).toBeNull();
    expect(takeAll(() => limits.takeRequest(from('192.0.2.9')), 1_000)).toHaveLength(1_000);
    expect(takeAll(() => limits.takeCall(from('192.0.2.9')), 100)).toHaveLength(100);
  });
});
