import type { Condition, Conditions } from './filter.ts';
import { type TimeRange, timeRange } from './time-range.ts';

/** True for a condition on the time of a record. */
export function isOnTime({ column }: Condition): boolean {
  return column.name === 'created_at';
}

/** Returns the parts of the range of times in a filter. */
export function rangeOf({ where }: Conditions): TimeRange {
  const range = where.find(isOnTime);
  const [first, second] = (range?.values ?? []).map(String);
  return range?.test === 'lt' ? timeRange(undefined, first) : timeRange(first, second);
}
