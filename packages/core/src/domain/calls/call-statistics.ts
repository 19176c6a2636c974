import { z } from 'zod';
import { endReasons } from './call.ts';

/**
 * Upper bounds of the classes into which turns are counted by their latency, in milliseconds; the last class has none.
 * Percentiles are estimated within a class, so classes are narrow in the usual range of latencies.
 */
export const turnClasses = [
  ...[200, 300, 400, 500, 600, 700, 800, 900, 1_000, 1_250, 1_500],
  ...[1_750, 2_000, 2_500, 3_000, 4_000, 5_000, 7_500, 10_000],
] as const;

type TurnClass = `turns_to_${(typeof turnClasses)[number]}` | 'turns_longer';

/** Names of the fields with the number of turns of each class, the shortest first. */
export const turnClassFields: readonly TurnClass[] = [
  ...turnClasses.map((boundMs) => `turns_to_${boundMs}` as const),
  'turns_longer',
];

/**
 * Contribution of an ended call to statistics, without callers' words and numbers, so that it outlives the erasure of
 * the call.
 */
export interface CallStatisticsRecord extends Readonly<Record<TurnClass, number>> {
  /** Id of the call. */
  readonly id: string;
  readonly agent_id: string | null;
  readonly campaign_id: string | null;
  /** Day of the call's `created_at` in UTC, `YYYY-MM-DD`. */
  readonly day: string;
  readonly direction: string;
  readonly end_reason: string;
  /** 1 if the call was answered, else 0. */
  readonly answered: number;
  readonly duration_seconds: number;
  readonly cost: number | null;
  readonly turns: number;
  readonly interruptions: number;
  readonly tool_calls: number;
  readonly failed_tools: number;
  readonly created_at: string;
}

/** Group keys of `GET /stats`. */
export const statisticsGroups = ['day', 'agent', 'campaign', 'direction', 'end_reason'] as const;
/** Group key of `GET /stats`. */
export type StatisticsGroup = (typeof statisticsGroups)[number];

const figures = {
  calls: z.int(),
  answered_calls: z.int(),
  minutes: z.number(),
  /** In the currency of the service; 0 without prices of the host. */
  cost: z.number(),
  turns: z.int(),
  /** From the end of what the caller said to the reply; null without turns. Estimated to about a tenth. */
  latency_ms: z.object({ p50: z.number(), p95: z.number() }).nullable(),
  interruptions: z.int(),
  tool_calls: z.int(),
  failed_tools: z.int(),
  /** Calls by their `end_reason`. */
  end_reasons: z.partialRecord(z.enum(endReasons), z.int()),
};

/** Statistics of the calls of a period or group. */
export const callStatisticsSchema = z.object({
  group_by: z.enum(statisticsGroups),
  /**
   * One entry per group: by day in order of time, else those with the most calls first. `key` is the day in UTC, the id
   * of the agent or campaign, or null for calls without one, the direction, or the end reason.
   */
  stats: z.array(z.object({ key: z.string().nullable(), ...figures })),
  total: z.object(figures),
});
/** Aggregate statistics of the ended calls of an organization. */
export type CallStatistics = z.infer<typeof callStatisticsSchema>;
