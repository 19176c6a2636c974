import { VirtualClock } from '@va/testkit';
import { expect, it } from 'vitest';
import { timestamp } from '../../src/clock/timestamp.ts';

it('timestamp › is the ISO form of the time, in any order of times', () => {
  const start = Date.UTC(2026, 11, 31, 23, 59, 58);
  const times = [0, 1, 999, 1_000, 1_000.7, 1_999.999, 2_000, 60_000, 59_999, 5, -3_000, -start, -start - 1];
  for (const afterMs of times) {
    const clock = Object.assign(new VirtualClock(), { wallMs: () => start + afterMs });
    expect(timestamp(clock)).toBe(new Date(Math.floor(start + afterMs)).toISOString());
  }
});
