import type { CallDirection, CallQuery, CallStatus, EndReason } from '@va/client';
import { endOfDay, startOfDay } from './local-days.ts';

/** Filters of the list, by their query parameters in the URL. */
export const filterNames = [
  ...(['q', 'status', 'agent_id', 'number_id', 'campaign_id', 'direction', 'end_reason', 'phone'] as const),
  ...(['from', 'to'] as const),
];
export type FilterName = (typeof filterNames)[number];
export type CallFilter = Readonly<Partial<Record<FilterName, string>>>;

/** Returns the filters of a URL query. */
export function filterOf(query: Readonly<Record<string, string>>): CallFilter {
  const given = filterNames.flatMap((name) => (query[name] ? [[name, query[name]]] : []));
  return Object.fromEntries(given);
}

/** Converts the filter to a query of the API. Omits values that the API would refuse. */
export function toCallQuery({ from, to, status, direction, end_reason, ...same }: CallFilter): CallQuery {
  const [start, end] = [startOfDay(from), endOfDay(to)];
  return {
    ...same,
    ...(status !== undefined && { status: status as CallStatus }),
    ...(direction !== undefined && { direction: direction as CallDirection }),
    ...(end_reason !== undefined && { end_reason: end_reason as EndReason }),
    ...(start !== null && { start_date: start }),
    ...(end !== null && { end_date: end }),
  };
}
