import type { CampaignProgress } from '@va/client';
import { describe, expect, it } from 'vitest';
import { CampaignPace, doneLeads } from '../../src/campaigns/pace.ts';

const progress = (calls: number, completed: number, rest: Partial<CampaignProgress> = {}): CampaignProgress =>
  ({
    ...{ total_leads: 100, failed_leads: 0, skipped_leads: 0 },
    ...{ total_calls: calls, completed_leads: completed, ...rest },
  }) as CampaignProgress;

function paceOf(...samples: readonly (readonly [atMs: number, calls: number, completed: number])[]) {
  const pace = new CampaignPace();
  for (const [atMs, calls, completed] of samples) pace.add(atMs, progress(calls, completed));
  return pace.rates(progress(0, 0));
}

describe('the pace of a campaign', () => {
  it.each([
    ['without samples', []],
    ['with one sample', [[0, 0, 0]]],
    [
      'within the first 5 s',
      [
        [0, 0, 0],
        [4_999, 9, 9],
      ],
    ],
  ] as [string, [number, number, number][]][])('is unknown %s', (_, samples) => {
    expect(paceOf(...samples)).toBeNull();
  });

  it('has calls per minute, and the time left at the rate of completed leads', () => {
    expect(paceOf([0, 0, 0], [30_000, 10, 20])).toEqual({ callsPerMinute: 20, leftMs: 120_000 });
  });

  it('has no time left while no lead is completed', () => {
    expect(paceOf([0, 0, 5], [30_000, 10, 5])).toEqual({ callsPerMinute: 20, leftMs: null });
  });

  it('is that of the last two minutes', () => {
    expect(paceOf([0, 0, 0], [60_000, 600, 0], [180_000, 620, 10])).toEqual({ callsPerMinute: 10, leftMs: 1_080_000 });
  });
});

it('doneLeads › counts all leads that are not called again', () => {
  expect(doneLeads(progress(0, 3, { failed_leads: 2, skipped_leads: 1 }))).toBe(6);
});
