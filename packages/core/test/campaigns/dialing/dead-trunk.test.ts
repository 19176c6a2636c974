import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/domain/calls/call.ts';
import type { CampaignRecord } from '../../../src/domain/campaigns/campaign.ts';
import { campaignAfterDial, leadAfterTrunkFailure } from '../../../src/leads/trunk-failures.ts';
import type { CampaignService } from '../campaign-service.ts';
import { campaignServices } from '../campaign-services.ts';

const service = campaignServices();
const minuteMs = 60_000;

/** Advances the clock while the trunk refuses every call with an error; returns the number of refused calls. */
async function outage(my: CampaignService, minutes: number): Promise<number> {
  const before = my.dialed.length;
  for (let second = 0; second < minutes * 60; second += 5) {
    for (const call of my.live) await my.refuse(call, 'failed');
    await my.clock.advance(5_000);
  }
  return my.dialed.length - before;
}

describe('a campaign whose trunk cannot place calls', () => {
  it('does not count failed dials as attempts, and calls the lead once the trunk works', async () => {
    const my = await service();
    const id = await my.campaign(1, { max_attempts: 1 });
    await my.refuse(my.live[0], 'failed');
    const [failed] = await my.leads(id);
    expect(failed).toMatchObject({ status: 'pending', attempts: 0, last_end_reason: 'dial_failed' });
    expect(failed?.status_reason).toContain('trunk');
    expect(failed?.next_attempt_at).toBe('2026-01-15T10:01:00.000Z');
    expect(failed).not.toHaveProperty('dial_failures');
    await my.clock.advance(minuteMs + 1_000);
    await my.talk(my.live[0], 1_000);
    expect((await my.leads(id))[0]).toMatchObject({ status: 'completed', attempts: 1, status_reason: null });
    expect((await my.get(id)).status).toBe('completed');
  });

  it('dials single trial calls and sets status_reason, and resumes once the trunk works', async () => {
    const my = await service();
    const id = await my.campaign(40, { max_attempts: 1, max_concurrent_calls: 10 });
    expect(await outage(my, 10)).toBeLessThan(20);
    // One trial call per 10 minutes.
    expect(await outage(my, 30)).toBeLessThanOrEqual(4);
    const slowed = await my.get(id);
    expect(slowed).toMatchObject({ status: 'running', failed_leads: 0 });
    expect(slowed.status_reason).toContain('The trunk cannot place calls');
    expect(slowed).not.toHaveProperty('slowed_until_ms');
    expect((await my.leads(id)).every(({ attempts }) => attempts <= 1)).toBe(true);
    while (my.live.length === 0) await my.clock.advance(5_000);
    expect(my.live).toHaveLength(1);
    await my.refuse(my.live[0], 'busy');
    expect((await my.get(id)).status_reason).toBeNull();
    expect(my.live.length).toBeGreaterThan(1);
  });

  it('dials at once after it was paused and started again', async () => {
    const my = await service();
    const id = await my.campaign(40, { max_concurrent_calls: 10 });
    await outage(my, 5);
    const { campaigns } = my.va.operations;
    await campaigns.update(my.orgId, id, { status: 'paused' });
    for (const call of my.live) await my.refuse(call, 'failed');
    await campaigns.update(my.orgId, id, { status: 'scheduled' });
    await my.clock.advance(1_000);
    expect(my.live.length).toBeGreaterThan(1);
  });

  it('completes when a lead can never be dialed', async () => {
    const my = await service();
    const id = await my.campaign(1, { max_attempts: 2, retry_on: ['failed'], retry_delay_seconds: 60 });
    // Ten dials do not count as attempts; the next two do.
    for (let tens = 0; tens < 40 && (await my.get(id)).status !== 'completed'; tens += 1) await outage(my, 10);
    expect((await my.leads(id))[0]).toMatchObject({ status: 'failed', attempts: 2 });
    expect(my.dialed).toHaveLength(12);
  });
});

describe('the delay after a trunk failure', () => {
  const now = Date.parse('2026-01-15T10:00:00Z');
  const call = (reason: Call['end_reason'], createdMs: number): Call =>
    ({ end_reason: reason, created_at: new Date(createdMs).toISOString() }) as Call;
  type Slowing = Pick<CampaignRecord, 'dial_failures' | 'slowed_until_ms' | 'status'>;
  const running: Slowing = { dial_failures: 0, slowed_until_ms: null, status: 'running' };

  it('doubles with each failed trial call, up to 10 minutes', () => {
    let state = running;
    const pauses: number[] = [];
    let atMs = now;
    for (let i = 0; i < 12; i++) {
      state = { ...state, ...campaignAfterDial(state, call('dial_failed', atMs), atMs) };
      if (state.slowed_until_ms === null) continue;
      pauses.push((state.slowed_until_ms - atMs) / 1_000);
      atMs = state.slowed_until_ms;
    }
    expect(pauses).toEqual([30, 60, 120, 240, 480, 600, 600, 600]);
  });

  it('is not extended by calls that were dialed before it started', () => {
    const slowed: Slowing = { ...running, dial_failures: 5, slowed_until_ms: now + 30_000 };
    expect(campaignAfterDial(slowed, call('dial_failed', now - 1), now + 10)).toEqual({});
  });

  it('is reset by any call that the trunk placed', () => {
    const slowed: Slowing = { ...running, dial_failures: 9, slowed_until_ms: now + 30_000 };
    const ended = { dial_failures: 0, slowed_until_ms: null, status_reason: null };
    expect(campaignAfterDial(slowed, call('no_answer', now), now)).toEqual(ended);
    expect(campaignAfterDial(running, call('no_answer', now), now)).toEqual({});
  });

  it('of a lead doubles up to one hour and ends after ten failures', () => {
    const delays = Array.from({ length: 11 }, (_, n) => {
      const after = leadAfterTrunkFailure({ attempts: 1, dial_failures: n }, now);
      return after === null ? null : (Date.parse(String(after.next_attempt_at)) - now) / minuteMs;
    });
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60, null]);
  });
});
