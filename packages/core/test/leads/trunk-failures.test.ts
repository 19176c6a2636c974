import { sampleCall } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { EndReason } from '../../src/domain/calls/call.ts';
import type { CampaignRecord } from '../../src/domain/campaigns/campaign.ts';
import { campaignAfterDial, isSlowed, leadAfterTrunkFailure, nextTrialMs } from '../../src/leads/trunk-failures.ts';
import { sampleCampaign } from '../support/sample-records.ts';

const nowMs = Date.parse('2026-01-01T09:30:00.000Z');
const secondsLater = (seconds: number): string => new Date(nowMs + seconds * 1_000).toISOString();

describe('leadAfterTrunkFailure', () => {
  it('gives the attempt back, and tries again after a growing delay', () => {
    const after = (dial_failures: number) => leadAfterTrunkFailure({ attempts: 2, dial_failures }, nowMs);
    expect(after(0)).toMatchObject({
      status: 'pending',
      attempts: 1,
      dial_failures: 1,
      next_attempt_at: secondsLater(60),
    });
    expect(after(1)?.next_attempt_at).toBe(secondsLater(120));
    expect(after(3)?.next_attempt_at).toBe(secondsLater(480));
  });

  it('waits an hour at most', () => {
    expect(leadAfterTrunkFailure({ attempts: 1, dial_failures: 9 }, nowMs)?.next_attempt_at).toBe(secondsLater(3_600));
  });

  it('counts as an attempt after ten failures, so that a campaign ends', () => {
    expect(leadAfterTrunkFailure({ attempts: 1, dial_failures: 10 }, nowMs)).toBeNull();
  });

  it('never has less than no attempts', () => {
    expect(leadAfterTrunkFailure({ attempts: 0, dial_failures: 0 }, nowMs)?.attempts).toBe(0);
  });
});

describe('campaignAfterDial', () => {
  function after(reason: EndReason, campaign: Partial<CampaignRecord>, dialedSecondsAgo = 5) {
    const call = sampleCall({ end_reason: reason, created_at: secondsLater(-dialedSecondsAgo) });
    return campaignAfterDial(sampleCampaign(campaign), call, nowMs);
  }

  it('counts failures in a row', () => {
    expect(after('dial_failed', { dial_failures: 0 })).toEqual({ dial_failures: 1 });
    expect(after('dial_failed', { dial_failures: 3 })).toEqual({ dial_failures: 4 });
  });

  it('slows down at the fifth, for longer with each further one, up to ten minutes', () => {
    const pauses = [4, 5, 6, 9, 20].map((dial_failures) => {
      const { slowed_until_ms: untilMs } = after('dial_failed', { dial_failures });
      return ((untilMs ?? 0) - nowMs) / 1_000;
    });
    expect(pauses).toEqual([30, 60, 120, 600, 600]);
  });

  it('says why while the campaign runs, and keeps the reason of a paused one', () => {
    expect(after('dial_failed', { dial_failures: 4 }).status_reason).toContain('The trunk cannot place calls');
    expect(after('dial_failed', { dial_failures: 4, status: 'paused' })).not.toHaveProperty('status_reason');
  });

  it('ignores failures of calls that were dialed before it slowed down', () => {
    // Slowed down 20 s ago.
    const slowed = { dial_failures: 5, slowed_until_ms: nowMs + 10_000 };
    expect(after('dial_failed', slowed, 25)).toEqual({});
    expect(after('dial_failed', slowed, 15)).toMatchObject({ dial_failures: 6 });
  });

  it.each<EndReason>(['user_hangup', 'busy', 'no_answer'])(
    'recovers with a call that reached the network: %s',
    (reason) => {
      expect(after(reason, { dial_failures: 6, slowed_until_ms: nowMs })).toEqual({
        dial_failures: 0,
        slowed_until_ms: null,
        status_reason: null,
      });
      expect(after(reason, { dial_failures: 2 })).toEqual({ dial_failures: 0, slowed_until_ms: null });
      expect(after(reason, { dial_failures: 0 })).toEqual({});
    },
  );
});

describe('the trials of a slowed campaign', () => {
  it('begin with the fifth failure, and come after the pause', () => {
    expect([4, 5].map((dial_failures) => isSlowed({ dial_failures }))).toEqual([false, true]);
    expect(nextTrialMs({ dial_failures: 7 }, nowMs)).toBe(nowMs + 120_000);
  });
});
