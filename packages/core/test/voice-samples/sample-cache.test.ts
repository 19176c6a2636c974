import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { SampleCache } from '../../src/voice-samples/sample-cache.ts';

const audio = (bytes: number): Uint8Array => new Uint8Array(bytes);
const limits = { maxBytes: 100, maxBytesPerOwner: 40, maxEntries: 4, maxAgeMs: 1_000 };

describe('the cache of samples', () => {
  it('drops the least recently used samples beyond its bytes and entries', () => {
    const cache = new SampleCache(new VirtualClock(), limits);
    for (const key of ['a', 'b', 'c']) cache.keep(key, null, audio(33));
    expect(cache.find('a')).not.toBeNull();
    cache.keep('d', null, audio(33));
    expect(['a', 'b', 'c', 'd'].map((key) => cache.find(key) !== null)).toEqual([true, false, true, true]);
    expect(cache.bytes).toBe(99);
    for (const key of ['e', 'f', 'g', 'h', 'i']) cache.keep(key, null, audio(1));
    expect(['e', 'f', 'g', 'h', 'i'].map((key) => cache.find(key) !== null)).toEqual([false, true, true, true, true]);
    expect(cache.bytes).toBe(4);
  });

  it('gives each organization a share, and drops only its own samples beyond it', () => {
    const cache = new SampleCache(new VirtualClock(), limits);
    cache.keep('shared', null, audio(30));
    for (const key of ['a', 'b', 'c']) cache.keep(key, 'one', audio(20));
    expect(['shared', 'a', 'b', 'c'].map((key) => cache.find(key) !== null)).toEqual([true, false, true, true]);
    cache.keep('too large', 'one', audio(41));
    expect(cache.find('too large')).toBeNull();
    expect(cache.bytes).toBe(70);
  });

  it('forgets samples when they are old', async () => {
    const clock = new VirtualClock();
    const cache = new SampleCache(clock, limits);
    cache.keep('a', null, audio(10));
    await clock.advance(1_000);
    expect(cache.find('a')).not.toBeNull();
    await clock.advance(1);
    expect(cache.find('a')).toBeNull();
    expect(cache.bytes).toBe(0);
  });
});
