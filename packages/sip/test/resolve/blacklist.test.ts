import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { Blacklist } from '../../src/resolve/blacklist.ts';
import type { Target } from '../../src/transport/transport-layer.ts';

let clock: VirtualClock;

beforeEach(() => {
  clock = new VirtualClock();
});

function target(port: number): Target {
  return { transport: 'udp', address: '192.0.2.1', port };
}

describe('Blacklist (RFC 3263 §4.3)', () => {
  it.each([
    [1, 30_000],
    [2, 60_000],
    [3, 120_000],
    [5, 480_000],
    [6, 600_000],
    [100, 600_000],
  ])('avoids a target after %i consecutive failures for %i ms', async (failures, forMs) => {
    const list = new Blacklist(clock);
    for (let i = 0; i < failures; i++) list.add(target(1));
    await clock.advance(forMs - 1);
    expect(list.has(target(1))).toBe(true);
    await clock.advance(1);
    expect(list.has(target(1))).toBe(false);
  });

  it('avoids a target for its Retry-After, an hour at most, without counting a failure', async () => {
    const list = new Blacklist(clock);
    list.add(target(1), 24 * 3_600_000);
    await clock.advance(3_600_000);
    expect(list.has(target(1))).toBe(false);
    list.add(target(1));
    await clock.advance(30_000);
    expect(list.has(target(1))).toBe(false);
  });

  it('does not shorten the time of a target by a later Retry-After', async () => {
    const list = new Blacklist(clock);
    list.add(target(1));
    list.add(target(1), 1_000);
    await clock.advance(29_999);
    expect(list.has(target(1))).toBe(true);
  });

  it('puts avoided targets last, and keeps the order of the others', () => {
    const list = new Blacklist(clock);
    list.add(target(1));
    list.add(target(3));
    const ordered = list.order([1, 2, 3, 4].map(target));
    expect(ordered.map(({ port }) => port)).toEqual([2, 4, 1, 3]);
    list.remove(target(1));
    expect(list.order([target(1)])).toEqual([target(1)]);
    expect(list.has(target(1))).toBe(false);
  });

  it('drops the oldest of more than 1,024 targets', () => {
    const list = new Blacklist(clock);
    for (let port = 1; port <= 1_025; port++) list.add(target(port));
    expect([list.has(target(1)), list.has(target(2))]).toEqual([false, true]);
  });
});
