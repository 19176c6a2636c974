import { describe, expect, it } from 'vitest';
import { probedTrunkHealth } from '../../src/trunk/probed-trunk-health.ts';

const minuteMs = 60_000;
const at = (minute: number): string => new Date(minute * minuteMs).toISOString();

const unprobed = { state: 'unknown', check: null, sinceMs: null } as const;

function up(since: number, checked: number, roundTripMs = 20) {
  const check = { atMs: checked * minuteMs, roundTripMs, reason: null };
  return { state: 'up', check, sinceMs: since * minuteMs } as const;
}

function down(since: number, checked: number, reason = '503 Busy') {
  const check = { atMs: checked * minuteMs, roundTripMs: null, reason };
  return { state: 'down', check, sinceMs: since * minuteMs } as const;
}

describe('health of a trunk', () => {
  it.each([
    ['unknown without a probe', [unprobed], 0, { state: 'unknown', since: null, checked_at: null }],
    ['reachable since its first address is up', [up(7, 9), up(5, 8)], 0, { state: 'reachable', since: at(5) }],
    ['reachable as long as one address is up', [down(1, 9), up(5, 8)], 0, { state: 'reachable', checked_at: at(8) }],
    ['unreachable since its last address is down', [down(3, 9), down(6, 8)], 0, { state: 'unreachable', since: at(6) }],
    ['unknown while one address is not probed', [down(3, 9), unprobed], 0, { state: 'unknown', checked_at: at(9) }],
    ['counted from its first call', [up(5, 9)], 8 * minuteMs, { state: 'reachable', since: at(8) }],
  ])('is %s', (_, addresses, usedSinceMs, expected) => {
    expect(probedTrunkHealth(addresses, usedSinceMs)).toMatchObject(expected);
  });

  it('has the round trip of the last answered probe, and the reason of the last failed one', () => {
    expect(probedTrunkHealth([up(1, 3, 30), up(1, 4, 40)], 0)).toMatchObject({ round_trip_ms: 40, reason: null });
    expect(probedTrunkHealth([down(1, 3, 'a'), down(1, 4, 'b')], 0)).toMatchObject({
      round_trip_ms: null,
      reason: 'b',
    });
  });

  it('has a reason of at most 200 characters', () => {
    expect(probedTrunkHealth([down(1, 2, 'x'.repeat(1_000))], 0).reason).toHaveLength(200);
  });
});
