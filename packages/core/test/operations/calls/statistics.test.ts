import { memory } from '@va/storage/memory';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { type CallStatisticsRecord, turnClasses, turnClassFields } from '../../../src/domain/calls/call-statistics.ts';
import { uuidv7 } from '../../../src/ids.ts';
import { createStatisticsOperations, type StatisticsOperations } from '../../../src/operations/calls/statistics.ts';

const nothing = Object.fromEntries(turnClassFields.map((field) => [field, 0])) as unknown as CallStatisticsRecord;

interface SetUp {
  readonly statistics: StatisticsOperations;
  readonly clock: VirtualClock;
  readonly orgId: string;
  add(changes: Partial<CallStatisticsRecord>): Promise<void>;
}

function setUp(): SetUp {
  const clock = new VirtualClock();
  const storage = memory();
  const orgId = uuidv7(clock);
  return {
    ...{ clock, orgId, statistics: createStatisticsOperations({ storage, clock }) },
    async add(changes) {
      const created_at = changes.created_at ?? new Date(clock.wallMs()).toISOString();
      await storage.callStatistics.insert(orgId, {
        ...nothing,
        ...{ id: uuidv7(clock), agent_id: null, campaign_id: null, direction: 'inbound', end_reason: 'user_hangup' },
        ...{ answered: 1, duration_seconds: 60, cost: 0.5, turns: 0, interruptions: 0, tool_calls: 0, failed_tools: 0 },
        ...changes,
        ...{ created_at, day: created_at.slice(0, 10) },
      });
    },
  };
}

/** An instant some days before now. */
function daysAgo({ clock }: SetUp, days: number): string {
  return new Date(clock.wallMs() - days * 86_400_000).toISOString();
}

describe('statistics', () => {
  it('are those of the last 30 days, by day, in order of time', async () => {
    const service = setUp();
    for (const days of [3, 0.001, 3, 29, 31]) await service.add({ created_at: daysAgo(service, days) });
    const { stats, total } = await service.statistics.get(service.orgId);
    expect(stats.map(({ key, calls }) => [key, calls])).toEqual([
      [daysAgo(service, 29).slice(0, 10), 1],
      [daysAgo(service, 3).slice(0, 10), 2],
      [daysAgo(service, 0.001).slice(0, 10), 1],
    ]);
    expect(total).toMatchObject({ calls: 4, minutes: 4, cost: 2, latency_ms: null });
  });

  it('add up what the calls of each group have, whatever their end reasons', async () => {
    const service = setUp();
    const [agent_id, other] = [uuidv7(service.clock), uuidv7(service.clock)];
    const lively = { turns: 3, turns_to_500: 2, turns_to_700: 1, interruptions: 2, tool_calls: 3, failed_tools: 1 };
    await service.add({ agent_id, ...lively });
    await service.add({ agent_id, end_reason: 'busy', answered: 0, duration_seconds: 0, cost: null });
    await service.add({ agent_id: other, end_reason: 'transferred' });
    const { stats } = await service.statistics.get(service.orgId, { group_by: 'agent' });
    expect(stats).toEqual([
      {
        ...{ key: agent_id, calls: 2, answered_calls: 1, minutes: 1, cost: 0.5, turns: 3 },
        ...{ latency_ms: { p50: 475, p95: 685 }, interruptions: 2, tool_calls: 3, failed_tools: 1 },
        end_reasons: { user_hangup: 1, busy: 1 },
      },
      expect.objectContaining({ key: other, calls: 1, end_reasons: { transferred: 1 } }),
    ]);
    const one = await service.statistics.get(service.orgId, { group_by: 'end_reason', agent_id });
    expect(one.stats.map(({ key, calls }) => [key, calls]).sort()).toEqual([
      ['busy', 1],
      ['user_hangup', 1],
    ]);
  });

  it('estimate percentiles within the class of a turn, and count the slowest as the last bound', async () => {
    const service = setUp();
    await service.add({ turns: 20, turns_to_200: 10, turns_longer: 10 });
    const { total } = await service.statistics.get(service.orgId);
    expect(total.latency_ms).toEqual({ p50: 200, p95: turnClasses.at(-1) });
  });

  it('refuse a period of more than 366 days', async () => {
    const service = setUp();
    const get = (start_date: string): Promise<unknown> =>
      service.statistics.get(service.orgId, { start_date, end_date: '2026-01-01' });
    await expect(get('2025-01-01')).resolves.toMatchObject({ stats: [] });
    await expect(get('2024-12-31')).rejects.toThrow('366 days');
  });

  it('show nothing of another organization', async () => {
    const service = setUp();
    await service.add({});
    expect((await service.statistics.get(uuidv7(service.clock))).total.calls).toBe(0);
  });
});
