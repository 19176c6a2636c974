import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/runtime/random.ts';

describe('systemRandom', () => {
  it.each([0, 1, 64, 65, 5_000])('returns %i bytes', (count) => {
    expect(systemRandom(count)).toHaveLength(count);
  });

  it('never returns bytes of an earlier request', () => {
    const seen = new Set(Array.from({ length: 2_000 }, () => Buffer.from(systemRandom(16)).toString('hex')));
    expect(seen.size).toBe(2_000);
  });

  it('returns bytes that share no memory with those of other requests', () => {
    const first = systemRandom(16);
    const second = systemRandom(16);
    const copy = Uint8Array.from(second);
    first.fill(0);
    expect(Uint8Array.from(second)).toEqual(copy);
    expect(Uint8Array.from(systemRandom(16))).not.toEqual(new Uint8Array(16));
  });
});
