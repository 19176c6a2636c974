import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { isUuid, systemRandom, uuidv7, uuidv7Sequence } from '../src/ids.ts';

describe('ids', () => {
  it('are UUIDs of version 7 that contain their time', () => {
    const id = uuidv7(new VirtualClock(new Date(0x0123456789ab)), () => new Uint8Array(10).fill(0xff));
    expect(id).toBe('01234567-89ab-7fff-bfff-ffffffffffff');
    expect(isUuid(id)).toBe(true);
  });

  it('of a sequence ascend within a millisecond, and stay UUIDs', async () => {
    const clock = new VirtualClock();
    const next = uuidv7Sequence(clock, systemRandom);
    const ids = Array.from({ length: 1_000 }, next);
    await clock.advance(1);
    ids.push(next());
    expect(ids.every(isUuid)).toBe(true);
    expect(ids.map((id) => id[14]).every((version) => version === '7')).toBe(true);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });
});
