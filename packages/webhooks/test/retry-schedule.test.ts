import { describe, expect, it } from 'vitest';
import { parseRetryAfterMs, retryDelayMs } from '../src/request/retry-schedule.ts';

const lowest = (count: number): Uint8Array => new Uint8Array(count);
const highest = (count: number): Uint8Array => new Uint8Array(count).fill(255);

describe('retry schedule', () => {
  it('spreads the retries of a report over three days', () => {
    const delays = Array.from({ length: 10 }, (_, n) => retryDelayMs('end-of-call-report', n + 1, 0, lowest));
    const minutes = delays.map((delayMs) => (delayMs === null ? null : delayMs / 60_000));
    expect(minutes).toEqual([1 / 12, 5, 30, 120, 300, 600, 840, 1_200, 1_440, null]);
  });

  it('adds at most 10 % of jitter', () => {
    expect(retryDelayMs('status-update', 1, 0, highest)).toBeCloseTo(5_500);
  });

  it('does not retry an event whose response is awaited', () => {
    expect(retryDelayMs('tool-calls', 1, 0, lowest)).toBeNull();
    expect(retryDelayMs('assistant-request', 1, 0, lowest)).toBeNull();
  });

  it('waits for Retry-After, but at most a day', () => {
    expect(retryDelayMs('status-update', 1, 60_000, lowest)).toBe(60_000);
    expect(retryDelayMs('status-update', 3, 60_000, lowest)).toBe(120_000);
    expect(retryDelayMs('status-update', 1, Number.MAX_SAFE_INTEGER, lowest)).toBe(86_400_000);
  });

  it.each([
    [undefined, 0],
    ['120', 120_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['-5', 0],
    ['soon', 0],
    ['9'.repeat(30), 0],
  ])('reads Retry-After %j', (value, delayMs) => {
    expect(parseRetryAfterMs(value, Date.UTC(2026, 0, 1))).toBe(delayMs);
  });
});
