import type { CallDirection, CallQuery, CallStatus, EndReason } from '@va/client';
import { endOfDay, startOfDay } from './local-days.ts';

/** Filters of the list, as they are named in the URL. */
export const filterNames = [
  ...(['q', 'status', 'agent_id', 'number_id', 'campaign_id', 'direction', 'end_reason', 'phone'] as const),
  ...(['from', 'to'] as const),
];
export type FilterName = (typeof filterNames)[number];
export type CallFilter = Readonly<Partial<Record<FilterName, string>>>;

/** Picks the filters out of the query of the URL. */
export function filterOf(query: Readonly<Record<string, string>>): CallFilter {
  const given = filterNames.flatMap((name) => (query[name] ? [[name, query[name]]] : []));
  return Object.fromEntries(given);
}

/** Turns the filter into a query of the API, which refuses values that it does not know. */
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
