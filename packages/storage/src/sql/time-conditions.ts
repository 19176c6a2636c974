import type { Expression, RawBuilder, SqlBool } from 'kysely';
import { expressions as eb } from './database.ts';
import type { Condition, Conditions } from './filter.ts';
import { slot } from './statements.ts';
import { type TimeRange, timeRange } from './time-range.ts';

/** True for a condition on the time of a record. */
export function isOnTime({ column }: Condition): boolean {
  return column.name === 'created_at';
}

/**
 * Returns the range of times of a filter, null without one, and its other conditions; null for a filter that says
 * anything else of the time.
 */
export function splitTime({
  where,
}: Conditions): { readonly range: Condition | null; readonly others: readonly Condition[] } | null {
  const [range = null, another] = where.filter(isOnTime);
  const isRange = range === null || ['gte', 'lt', 'gte and lt'].includes(range.test);
  return another === undefined && isRange ? { range, others: where.filter((each) => !isOnTime(each)) } : null;
}

/** Returns the condition that a time is from one bound of the filter's range to before another. */
export function isWithin(column: string, from: keyof TimeRange, before: keyof TimeRange): Expression<SqlBool> {
  return eb.and([eb(column, '>=', bound(from)), eb(column, '<', bound(before))]);
}

function bound(name: keyof TimeRange): RawBuilder<string> {
  return slot<{ readonly filter: Conditions }, string>(({ filter }) => rangeOf(filter)[name]);
}

/** Returns the parts of the range of times in a filter. */
function rangeOf({ where }: Conditions): TimeRange {
  const range = where.find(isOnTime);
  const [first, second] = (range?.values ?? []).map(String);
  return range?.test === 'lt' ? timeRange(undefined, first) : timeRange(first, second);
}
