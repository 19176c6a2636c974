import type { DnsAnswer } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { RecordCache } from '../../src/resolve/record-cache.ts';

describe('RecordCache', () => {
  const found = (record: string): DnsAnswer<string> => ({ status: 'found', records: [record] });
  const silent: DnsAnswer<string> = { status: 'unanswered', reason: 'ETIMEOUT' };
  let clock: VirtualClock;
  let lookups: number;
  let answer: DnsAnswer<string>;
  let cache: RecordCache<string>;

  beforeEach(() => {
    clock = new VirtualClock();
    lookups = 0;
    cache = new RecordCache(clock, () => 60_000);
  });

  async function get(name = 'x'): Promise<DnsAnswer<string>> {
    return await cache.get(name, async () => {
      lookups += 1;
      return answer;
    });
  }

  it.each([
    ['the lifetime of its records', found('one'), 60_000],
    ['30 s without records', { status: 'absent' } as const, 30_000],
  ])('keeps an answer for %s', async (_, first, lifeMs) => {
    answer = first;
    await get();
    answer = found('two');
    await clock.advance(lifeMs - 1);
    expect(await get()).toEqual(first);
    await clock.advance(1);
    expect(await get()).toEqual(found('two'));
    expect(lookups).toBe(2);
  });

  it('does not keep that the DNS did not respond', async () => {
    answer = silent;
    expect(await get()).toEqual(silent);
    answer = found('one');
    expect(await get()).toEqual(found('one'));
  });

  it('returns expired records while the DNS does not respond, and asks it every 30 s', async () => {
    answer = found('one');
    await get();
    answer = silent;
    await clock.advance(60_000);
    expect([await get(), lookups]).toEqual([found('one'), 2]);
    await clock.advance(29_999);
    expect([await get(), lookups]).toEqual([found('one'), 2]);
    await clock.advance(1);
    expect([await get(), lookups]).toEqual([found('one'), 3]);
  });

  it('drops the oldest of more than 1,024 names', async () => {
    answer = found('one');
    for (let n = 0; n <= 1_024; n++) await get(String(n));
    await get('1');
    expect(lookups).toBe(1_025);
    await get('0');
    expect(lookups).toBe(1_026);
  });
});
