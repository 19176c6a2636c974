import type { Expression, RawBuilder, SqlBool } from 'kysely';
import { expressions as eb } from './database.ts';
import type { ParsedCondition, ParsedFilter } from './filter.ts';
import { slot } from './statements.ts';
import { type TimeRange, timeRange } from './time-range.ts';

/** Returns true for a condition on `created_at`. */
export function isOnTime({ column }: ParsedCondition): boolean {
  return column.name === 'created_at';
}

/**
 * Returns the range of times of a filter, null without one, and its other conditions. Returns null for a filter with
 * another condition on the time, or with several.
 */
export function splitTime({
  where,
}: ParsedFilter): { readonly range: ParsedCondition | null; readonly others: readonly ParsedCondition[] } | null {
  const [range = null, another] = where.filter(isOnTime);
  const isRange = range === null || ['gte', 'lt', 'gte and lt'].includes(range.test);
  return another === undefined && isRange ? { range, others: where.filter((each) => !isOnTime(each)) } : null;
}

/** Returns the condition that a time is at or after one bound of the filter's range and before another. */
export function isWithin(column: string, from: keyof TimeRange, before: keyof TimeRange): Expression<SqlBool> {
  return eb.and([eb(column, '>=', bound(from)), eb(column, '<', bound(before))]);
}

function bound(name: keyof TimeRange): RawBuilder<string> {
  return slot<{ readonly filter: ParsedFilter }, string>(({ filter }) => rangeOf(filter)[name]);
}

/** Returns the parts of the range of times in a filter. */
function rangeOf({ where }: ParsedFilter): TimeRange {
  const range = where.find(isOnTime);
  const [first, second] = (range?.values ?? []).map(String);
  return range?.test === 'lt' ? timeRange(undefined, first) : timeRange(first, second);
}
