import { z } from 'zod';
import { roundCost } from '../../costs/round-cost.ts';
import { type EndReason, endReasons } from '../../domain/calls/call.ts';
import {
  type CallStatistics,
  type CallStatisticsRecord,
  type StatisticsGroup,
  statisticsGroups,
  turnClasses,
  turnClassFields,
} from '../../domain/calls/call-statistics.ts';
import { recordIdSchema } from '../../domain/records/record-id.ts';
import { RequestError } from '../../errors.ts';
import { createdWithin, dateRangeFields } from '../../input/date-range.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { parseInput } from '../../input/parse-input.ts';
import type { GroupSums } from '../../ports/storage/collection.ts';
import { groupBy } from '../../records/group-by.ts';
import type { RecordDependencies } from '../dependencies.ts';

/** Operations on statistics. */
export interface StatisticsOperations {
  /**
   * Returns figures of the ended calls in groups. Query: `group_by` (default `day`), `start_date` (default 30 days
   * before the end), `end_date` (default now; both on `created_at` of the call, half-open; an end that is a day
   * includes it; at most 366 days), `agent_id`, `campaign_id`. At most 1000 groups, those with the most calls. Throws
   * `RequestError` 400.
   *
   * @example await va.operations.statistics.get(orgId, { group_by: 'agent', start_date: '2026-01-01' });
   */
  get(orgId: string, query?: StatisticsQuery): Promise<CallStatistics>;
}

const statisticsQuerySchema = z.strictObject({
  ...dateRangeFields,
  group_by: z.enum(statisticsGroups).optional(),
  agent_id: recordIdSchema.optional(),
  campaign_id: recordIdSchema.optional(),
});
/** Query of `GET /stats`. */
export type StatisticsQuery = z.input<typeof statisticsQuerySchema>;

const dayMs = 86_400_000;
const defaultDays = 30;
const maxDays = 366;
const maxGroups = 1_000;
/** Each group is read as one row per end reason. */
const maxRows = maxGroups * endReasons.length;

const groupFields = {
  day: 'day',
  agent: 'agent_id',
  campaign: 'campaign_id',
  direction: 'direction',
  end_reason: 'end_reason',
} as const satisfies Record<StatisticsGroup, keyof CallStatisticsRecord>;

const sums = [
  ...(['answered', 'duration_seconds', 'cost', 'turns', 'interruptions', 'tool_calls', 'failed_tools'] as const),
  ...turnClassFields,
] as const;

type GroupField = (typeof groupFields)[StatisticsGroup];
type Part = GroupSums<CallStatisticsRecord, GroupField | 'end_reason', (typeof sums)[number]>;
type Figures = CallStatistics['total'];

/** Creates the operations on statistics; `createOperations` creates all groups. */
export function createStatisticsOperations({
  storage,
  clock,
}: Pick<RecordDependencies, 'storage' | 'clock'>): StatisticsOperations {
  return {
    async get(orgId, query = {}) {
      const written = parseInput(statisticsQuerySchema, query);
      const { group_by = 'day', agent_id, campaign_id } = written;
      const field = groupFields[group_by];
      const parts: readonly Part[] = await storage.callStatistics.sumGroups(orgId, {
        by: field === 'end_reason' ? [field] : [field, 'end_reason'],
        sums,
        limit: maxRows,
        where: omitUndefined({ agent_id, campaign_id, created_at: periodOf(written, clock.wallMs()) }),
      });
      const groups = groupBy(parts, (part) => part[field]);
      const stats = [...groups].map(([key, own]) => ({ key, ...figuresOf(own) }));
      stats.sort(group_by === 'day' ? byKey : byCalls);
      return { group_by, stats: stats.slice(0, maxGroups), total: figuresOf(parts) };
    },
  };
}

/** @throws RequestError 400 for a period that is too long */
function periodOf(written: StatisticsQuery, nowMs: number): { gte: string; lt?: string } {
  const { gte, lt } = createdWithin(written) ?? {};
  const endMs = lt === undefined ? nowMs : Date.parse(lt);
  const startMs = gte === undefined ? endMs - defaultDays * dayMs : Date.parse(gte);
  if (endMs - startMs > maxDays * dayMs) {
    throw new RequestError(400, 'invalid_field', `The period is longer than ${maxDays} days.`);
  }
  return { gte: new Date(startMs).toISOString(), ...(lt !== undefined && { lt }) };
}

function byKey(a: { readonly key: string | null }, b: { readonly key: string | null }): number {
  return (a.key ?? '') < (b.key ?? '') ? -1 : 1;
}

function byCalls(a: { readonly calls: number }, b: { readonly calls: number }): number {
  return b.calls - a.calls;
}

function figuresOf(parts: readonly Part[]): Figures {
  const sum = (field: (typeof sums)[number] | 'count'): number => parts.reduce((total, part) => total + part[field], 0);
  const reasons = groupBy(parts, ({ end_reason }) => end_reason as EndReason);
  const turns = turnClassFields.map(sum);
  return {
    calls: sum('count'),
    answered_calls: sum('answered'),
    minutes: Math.round((sum('duration_seconds') / 60) * 100) / 100,
    cost: roundCost(sum('cost')),
    turns: sum('turns'),
    latency_ms: sum('turns') === 0 ? null : { p50: percentile(turns, 0.5), p95: percentile(turns, 0.95) },
    interruptions: sum('interruptions'),
    tool_calls: sum('tool_calls'),
    failed_tools: sum('failed_tools'),
    end_reasons: Object.fromEntries(
      [...reasons].map(([reason, own]) => [reason, own.reduce((total, { count }) => total + count, 0)]),
    ),
  };
}

/**
 * Estimates a percentile from the numbers of turns by class: within a class, turns are taken to be spread evenly. Turns
 * of the last class count as its lower bound.
 */
function percentile(turns: readonly number[], share: number): number {
  let rest = share * turns.reduce((total, count) => total + count, 0);
  for (const [at, count] of turns.entries()) {
    if (count > 0 && rest <= count) {
      const fromMs = turnClasses[at - 1] ?? 0;
      const toMs = turnClasses[at] ?? fromMs;
      return Math.round(fromMs + ((toMs - fromMs) * rest) / count);
    }
    rest -= count;
  }
  return turnClasses.at(-1) ?? 0;
}
