import type { CampaignProgress } from '@va/client';
import { describe, expect, it } from 'vitest';
import { CampaignPace } from '../../src/campaigns/pace.ts';
import { progressLine, summary } from '../../src/campaigns/progress-line.ts';

const progress: CampaignProgress = {
  id: 'c1',
  status: 'running',
  status_reason: null,
  total_leads: 60,
  pending_leads: 34,
  calling_leads: 6,
  completed_leads: 14,
  failed_leads: 5,
  skipped_leads: 1,
  total_calls: 25,
  answered_calls: 14,
  answered_rate: 0.56,
  average_duration_seconds: 3.4,
};

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

  it('tells why a campaign does not run, without what a terminal takes for a command', () => {
    const paused = { ...progress, status: 'paused', status_reason: 'No\u001B[2J trunk' } as const;
    const line = progressLine(paused, { callsPerMinute: 1, leftMs: 1 }, 100);
    expect(line).toMatch(/20\/60 done · 56% answered · 6 calling · paused · No \[2J trunk$/);
  });

  it('is there for a campaign without leads and calls', () => {
    const empty = { ...progress, total_leads: 0, completed_leads: 0, failed_leads: 0, skipped_leads: 0 };
    expect(progressLine({ ...empty, answered_rate: null, calling_leads: 0 }, null, 60)).toMatch(
      /^░+ {3}0% {2}0\/0 done · 0 calling$/,
    );
  });

  it('says at the end what became of the leads', () => {
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

  it('is that of the last two minutes, once there is something to tell', () => {
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
