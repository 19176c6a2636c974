import type { CampaignProgress } from '@va/client';
import { describe, expect, it } from 'vitest';
import { CampaignPace } from '../../src/campaigns/pace.ts';
import { progressLine, summary } from '../../src/campaigns/progress-line.ts';
import { progress } from '../support/campaign-progress.ts';

describe('the line of a campaign', () => {
  it('has a bar, the counts and the rates', () => {
    const line = progressLine(progress, { callsPerMinute: 12.34, leftMs: 200_000 }, 120);
    expect(line).toBe(
      `${'█'.repeat(13)}${'░'.repeat(27)}  33%  20/60 done · 56% answered · 6 calling · 12.3 calls/min · 4 min left`,
    );
  });

  it.each([120, 80, 60, 40, 12])('fits into a terminal of %i columns', (columns) => {
    const line = progressLine(progress, { callsPerMinute: 12.34, leftMs: 200_000 }, columns);
    expect(line.length).toBeLessThan(columns);
    expect(line.includes('█')).toBe(columns >= 100);
  });

  it('shows the reason of a paused campaign without control sequences', () => {
    const paused = { ...progress, status: 'paused', status_reason: 'No\u001B[2J trunk' } as const;
    const line = progressLine(paused, { callsPerMinute: 1, leftMs: 1 }, 100);
    expect(line).toMatch(/20\/60 done · 56% answered · 6 calling · paused · No \[2J trunk$/);
  });

  it.each([
    [29, 100, '29%'],
    [57, 100, '57%'],
    [58, 1_000, '5%'],
    [999, 1_000, '99%'],
    [1_000, 1_000, '100%'],
  ])('shows %i of %i leads as %s', (done, total, percent) => {
    const counts = { total_leads: total, completed_leads: done, failed_leads: 0, skipped_leads: 0 };
    expect(progressLine({ ...progress, ...counts }, null, 100)).toContain(` ${percent}  ${done}/${total} done`);
    expect(summary({ ...progress, answered_rate: done / total })).toContain(`, ${percent} answered`);
  });

  it.each([
    [1, '1 s left'],
    [60_000, '60 s left'],
    [60_001, '2 min left'],
    [7_140_000, '119 min left'],
    [7_140_001, '2 h left'],
    [172_800_000, '2 days left'],
  ])('shows a remaining time of %i ms as %s', (leftMs, text) => {
    expect(progressLine(progress, { callsPerMinute: 1, leftMs }, 120)).toContain(` · ${text}`);
  });

  it('supports a campaign without leads and calls', () => {
    const empty = { ...progress, total_leads: 0, completed_leads: 0, failed_leads: 0, skipped_leads: 0 };
    expect(progressLine({ ...empty, answered_rate: null, calling_leads: 0 }, null, 60)).toMatch(
      /^░+ {3}0% {2}0\/0 done · 0 calling$/,
    );
  });

  it('summarizes the outcomes at the end', () => {
    expect(summary({ ...progress, status: 'completed' })).toBe(
      'The campaign is completed: 14 reached, 5 not reached, 1 skipped; 25 calls, 56% answered, 3.4 s on average.',
    );
  });
});

describe('the pace of a campaign', () => {
  const at = (calls: number, done: number): CampaignProgress => ({
    ...progress,
    total_calls: calls,
    completed_leads: done,
    failed_leads: 0,
    skipped_leads: 0,
  });

  it('is measured over the last two minutes', () => {
    const pace = new CampaignPace();
    pace.add(0, at(0, 0));
    expect(pace.rates(at(0, 0))).toBeNull();
    pace.add(60_000, at(30, 20));
    expect(pace.rates(at(30, 20))).toEqual({ callsPerMinute: 30, leftMs: 120_000 });
    pace.add(120_000, at(30, 20));
    pace.add(180_000, at(30, 20));
    expect(pace.rates(at(30, 20))).toEqual({ callsPerMinute: 0, leftMs: null });
  });
});
