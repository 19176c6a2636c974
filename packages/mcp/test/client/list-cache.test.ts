import type { ServedTool } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { ListCache } from '../../src/client/list-cache.ts';

const maxAgeMs = 60_000;
let clock: VirtualClock;
let cache: ListCache;
let requests: number;

beforeEach(() => {
  clock = new VirtualClock();
  cache = new ListCache(clock, maxAgeMs);
  requests = 0;
});

function list(name: string): readonly ServedTool[] {
  return [{ name, description: '', parameters: {} }];
}

async function succeed(name: string, key = 'server'): Promise<readonly ServedTool[]> {
  return await cache.get(key, async () => {
    requests += 1;
    return list(name);
  });
}

async function fail(message: string): Promise<readonly ServedTool[]> {
  return await cache.get('server', async () => {
    requests += 1;
    throw new Error(message);
  });
}

describe('ListCache', () => {
  it('requests a list once for concurrent callers, and again when it has expired', async () => {
    expect(await Promise.all([succeed('a'), succeed('b')])).toEqual([list('a'), list('a')]);
    await clock.advance(maxAgeMs - 1);
    expect(await succeed('b')).toEqual(list('a'));
    await clock.advance(1);
    expect(await succeed('b')).toEqual(list('b'));
    expect(requests).toBe(2);
  });

  it('returns the last list while the server fails, and requests it every 15 s', async () => {
    await succeed('a');
    await clock.advance(maxAgeMs);
    expect(await fail('down')).toEqual(list('a'));
    await clock.advance(14_999);
    expect([await fail('down'), requests]).toEqual([list('a'), 2]);
    await clock.advance(1);
    expect([await succeed('b'), requests]).toEqual([list('b'), 3]);
  });

  it('throws the failure if it has no list, and sends no other request for 15 s', async () => {
    await expect(fail('down')).rejects.toThrow('down');
    await expect(succeed('a')).rejects.toThrow('down');
    expect(requests).toBe(1);
    await clock.advance(15_000);
    expect(await succeed('a')).toEqual(list('a'));
  });

  it('requests a list at once after retry', async () => {
    await expect(fail('down')).rejects.toThrow('down');
    cache.retry('server');
    expect(await succeed('a')).toEqual(list('a'));
    cache.retry('unknown');
  });

  it('drops the least recently used of more than 1,000 lists', async () => {
    for (let n = 0; n < 1_000; n++) await succeed('a', String(n));
    await succeed('a', '0');
    await succeed('a', 'one more');
    expect(requests).toBe(1_001);
    await succeed('a', '0');
    expect(requests).toBe(1_001);
    await succeed('a', '1');
    expect(requests).toBe(1_002);
  });
});
