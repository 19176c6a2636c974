import { z } from 'zod';
import { roundCost } from '../../costs/round-cost.ts';
import type { UsageLog, UsageSummary } from '../../domain/calls/usage-log.ts';
import type { Pagination } from '../../domain/records/pagination.ts';
import { recordIdSchema } from '../../domain/records/record-id.ts';
import { createdWithin, dateRangeFields } from '../../input/date-range.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { pageFields } from '../../input/page-query.ts';
import { parseInput } from '../../input/parse-input.ts';
import type { Filter } from '../../ports/storage/collection.ts';
import type { RecordDependencies } from '../dependencies.ts';

/** Operations on usage. */
export interface UsageOperations {
  /**
   * Returns one log per answered call, newest first; the summary covers the whole filter. Query: `limit` (1–1000,
   * default 100), `offset`, `start_date`, `end_date` (on `created_at`, half-open; an end that is a day includes it),
   * `agent_id`, `publishable_key_id`. Throws `RequestError` 400.
   */
  list(orgId: string, query?: UsageQuery): Promise<{ logs: UsageLog[]; pagination: Pagination; summary: UsageSummary }>;
}

const usageQuerySchema = z.strictObject({
  ...pageFields(1_000),
  ...dateRangeFields,
  agent_id: recordIdSchema.optional(),
  publishable_key_id: recordIdSchema.optional(),
});
/** Query of `GET /usage`. */
export type UsageQuery = z.input<typeof usageQuerySchema>;

/** Maximum groups of the summary. Agents can name any model, so nothing else limits their number. */
const maxTotals = 1_000;

/** Creates the operations on usage; `createOperations` creates all groups. */
export function createUsageOperations({ storage }: Pick<RecordDependencies, 'storage'>): UsageOperations {
  return {
    async list(orgId, query = {}) {
      const written = parseInput(usageQuerySchema, query);
      const { limit = 100, offset = 0, agent_id, publishable_key_id } = written;
      const where = omitUndefined({ agent_id, publishable_key_id, created_at: createdWithin(written) });
      const filter: Filter<UsageLog> = { where };
      const [total, logs, sums, totals] = await Promise.all([
        storage.usageLogs.count(orgId, filter),
        storage.usageLogs.list(orgId, { ...filter, limit, offset }),
        storage.usageLogs.sum(orgId, ['duration_seconds', 'cost'], filter),
        storage.usageLogs.sumItems(orgId, {
          field: 'cost_breakdown',
          by: ['provider', 'model', 'kind', 'unit', 'own_key'],
          sums: ['price', 'quantity'],
          limit: maxTotals,
          ...filter,
        }),
      ]);
      const summary = {
        total_calls: total,
        total_duration_seconds: sums.duration_seconds,
        total_duration_minutes: Math.round((sums.duration_seconds / 60) * 100) / 100,
        total_cost: roundCost(sums.cost),
        breakdown: totals.map(({ price, quantity, ...item }) => ({
          ...item,
          quantity: roundCost(quantity ?? 0),
          price: price === null ? null : roundCost(price),
        })),
      };
      return { logs, pagination: { total, limit, offset }, summary };
    },
  };
}
