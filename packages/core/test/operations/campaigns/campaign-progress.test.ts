import { afterEach, describe, expect, it } from 'vitest';
import type { CampaignProgress } from '../../../src/domain/campaigns/campaign.ts';
import { CampaignService } from '../../campaigns/campaign-service.ts';
import { orgId, otherOrgId, refusal, testOperations, unknownId } from '../support.ts';

const open: CampaignService[] = [];
afterEach(async () => {
  for (const service of open.splice(0)) await service.close();
});

/** Collects progress events with the time of each. */
class Watcher {
  readonly told: CampaignProgress[] = [];
  readonly atMs: number[] = [];
  readonly stopping = new AbortController();
  isOver = false;

  async read(events: AsyncIterable<CampaignProgress>, nowMs: () => number): Promise<void> {
    for await (const progress of events) {
      this.told.push(progress);
      this.atMs.push(nowMs());
    }
    this.isOver = true;
  }

  /** Per event: pending, calling, completed, failed and skipped leads. */
  get counts(): number[][] {
    return this.told.map((each) => [
      each.pending_leads,
      each.calling_leads,
      each.completed_leads,
      each.failed_leads,
      each.skipped_leads,
    ]);
  }
}

async function watching(my: CampaignService, id: string): Promise<Watcher> {
  const watcher = new Watcher();
  const { signal } = watcher.stopping;
  const events = await my.va.operations.campaigns.events(my.orgId, id, { signal });
  void watcher.read(events, () => my.clock.nowMs());
  await my.clock.advance(0);
  return watcher;
}

async function service(): Promise<CampaignService> {
  const my = new CampaignService();
  open.push(my);
  return await my.start();
}

describe('watching a campaign', () => {
  it('emits the current progress, then every change at once, until the campaign is completed', async () => {
    const my = await service();
    const id = await my.campaign(2, { max_concurrent_calls: 1 });
    const watcher = await watching(my, id);
    expect(watcher.counts).toEqual([[1, 1, 0, 0, 0]]);
    await my.clock.advance(10_000);
    expect(watcher.told).toHaveLength(1);

    await my.talk(my.live[0], 4_000);
    expect(watcher.counts.at(-1)?.slice(2)).toEqual([1, 0, 0]);
    await my.clock.advance(5_000);
    await my.refuse(my.live[0], 'busy');
    await my.clock.advance(1_000);
    expect(watcher.isOver).toBe(true);
    const last = watcher.told.at(-1);
    const { agent_id: _, ...campaign } = await my.get(id);
    expect(last).toEqual(Object.fromEntries(Object.keys(last ?? {}).map((key) => [key, Object(campaign)[key]])));
    expect(last).toMatchObject({ id, status: 'completed', total_calls: 2, answered_rate: 0.5, failed_leads: 1 });
  });

  it('emits at most one event per second, and the last one is current', async () => {
    const my = await service();
    const id = await my.campaign(100, { max_concurrent_calls: 50 });
    const watcher = await watching(my, id);
    for (let n = 0; n < 100; n += 1) {
      await my.refuse(my.live[0], 'busy');
      await my.clock.advance(30);
    }
    await my.clock.advance(2_000);
    expect(watcher.isOver).toBe(true);
    expect(watcher.counts.at(-1)).toEqual([0, 0, 0, 100, 0]);
    const gaps = watcher.atMs.slice(1).map((at, n) => at - (watcher.atMs[n] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
    expect(gaps.length).toBeGreaterThan(3);
  });

  it('continues after a cancellation until the last call has ended', async () => {
    const my = await service();
    const id = await my.campaign(3, { max_concurrent_calls: 1 });
    my.live[0]?.pickUp();
    const watcher = await watching(my, id);
    await my.va.operations.campaigns.update(my.orgId, id, { status: 'cancelled' });
    await my.clock.advance(5_000);
    expect(watcher.told.at(-1)).toMatchObject({ status: 'cancelled', calling_leads: 1, skipped_leads: 2 });
    expect(watcher.isOver).toBe(false);
    my.live[0]?.leave();
    await my.clock.advance(1_000);
    expect(watcher.counts.at(-1)).toEqual([0, 0, 1, 0, 2]);
    expect(watcher.isOver).toBe(true);
  });

  it('reports changes of another process within a second', async () => {
    const { operations, storage, clock } = testOperations();
    const { operations: others } = testOperations({ storage, clock });
    const agent = await others.agents.create(orgId, { name: 'Sales' });
    const hours = { schedule_start_time: '09:00', schedule_end_time: '17:00', timezone: 'UTC' };
    const { id } = await others.campaigns.create(orgId, { name: 'Spring', agent_id: agent.id, ...hours });
    const watcher = new Watcher();
    const { signal } = watcher.stopping;
    void watcher.read(await operations.campaigns.events(orgId, id, { signal }), () => clock.nowMs());
    await clock.advance(5_500);
    expect(watcher.counts).toEqual([[0, 0, 0, 0, 0]]);
    await others.leads.add(orgId, id, { phone_number: '+31612345678' });
    await clock.advance(1_000);
    expect(watcher.counts.at(-1)).toEqual([1, 0, 0, 0, 0]);

    await others.campaigns.delete(orgId, id);
    await clock.advance(2_000);
    expect(watcher.isOver).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it.each([0, 500, 2_500])('cleans up its timers when it is aborted after %i ms', async (ms) => {
    const { operations, clock } = testOperations();
    const agent = await operations.agents.create(orgId, { name: 'Sales' });
    const hours = { schedule_start_time: '09:00', schedule_end_time: '17:00', timezone: 'UTC' };
    const { id } = await operations.campaigns.create(orgId, { name: 'Spring', agent_id: agent.id, ...hours });
    const watcher = new Watcher();
    const { signal } = watcher.stopping;
    void watcher.read(await operations.campaigns.events(orgId, id, { signal }), () => clock.nowMs());
    await clock.advance(ms);
    watcher.stopping.abort();
    await clock.advance(0);
    expect([watcher.isOver, clock.pending]).toEqual([true, 0]);
  });

  it('returns 404 for campaigns outside the organization', async () => {
    const { operations } = testOperations();
    const agent = await operations.agents.create(orgId, { name: 'Sales' });
    const hours = { schedule_start_time: '09:00', schedule_end_time: '17:00', timezone: 'UTC' };
    const { id } = await operations.campaigns.create(orgId, { name: 'Spring', agent_id: agent.id, ...hours });
    const { signal } = new AbortController();
    for (const [owner, asked] of [
      [otherOrgId, id],
      [orgId, unknownId],
      [orgId, 'none'],
    ] as const) {
      const error = await refusal(operations.campaigns.events(owner, asked, { signal }));
      expect([error.status, error.code]).toEqual([404, 'campaign_not_found']);
    }
  });
});
