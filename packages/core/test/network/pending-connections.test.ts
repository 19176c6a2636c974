import { describe, expect, it } from 'vitest';
import { PendingConnections } from '../../src/network/pending-connections.ts';

function pending(max: number, maxPerAddress: number) {
  const connections = new PendingConnections({ max, maxPerAddress });
  const evicted: string[] = [];
  const add = (name: string, address: string | null): (() => void) =>
    connections.add(address, () => void evicted.push(name));
  return { connections, evicted, add };
}

describe('pending connections', () => {
  it('close the oldest one of an address that has its share', () => {
    const { connections, evicted, add } = pending(10, 2);
    for (const name of ['a', 'b', 'c', 'd']) add(name, '203.0.113.7');
    add('other', '203.0.113.8');
    expect([evicted, connections.size]).toEqual([['a', 'b'], 3]);
  });

  it('count a /64 of IPv6 as one address', () => {
    const { evicted, add } = pending(10, 1);
    add('a', '2001:db8::1');
    add('b', '2001:db8::2');
    add('c', '2001:db8:0:1::1');
    expect(evicted).toEqual(['a']);
  });

  it('close the oldest one of all beyond their number, also those of unknown addresses', () => {
    const { connections, evicted, add } = pending(3, 3);
    add('a', null);
    for (let n = 0; n < 4; n += 1) add(`b${n}`, `203.0.113.${n}`);
    expect([evicted, connections.size]).toEqual([['a', 'b0'], 3]);
  });

  it('forget those that are known or closed, once', () => {
    const { connections, evicted, add } = pending(2, 1);
    const remove = add('a', '203.0.113.7');
    remove();
    const again = add('b', '203.0.113.7');
    remove();
    expect([connections.size, evicted]).toEqual([1, []]);
    again();
    expect(connections.size).toBe(0);
  });
});
