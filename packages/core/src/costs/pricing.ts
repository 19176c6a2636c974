import type { Call } from '../domain/calls/call.ts';
import type { CostItem } from '../domain/costs/cost-item.ts';
import { roundCost } from './round-cost.ts';

/** Price that the host charges for the time of calls, such as that of telephony or its platform. */
export interface Pricing {
  /** ISO 4217 code. */
  readonly currency: string;
  readonly perMinute: number;
}

type TimedCall = Pick<Call, 'answered_at' | 'duration_seconds'>;

/** Returns the price of a call's minutes; null for an unanswered call or without pricing. */
function priceOfMinutes(call: TimedCall, pricing: Pricing | null): number | null {
  if (pricing === null || call.answered_at === null) return null;
  return roundCost(((call.duration_seconds ?? 0) / 60) * pricing.perMinute);
}

/** Converts seconds to the minutes charged to an organization, to four decimals. */
export function minutesOf(seconds: number): number {
  return Math.round((seconds / 60) * 1e4) / 1e4;
}

/** Returns the minutes of a call as an item of its breakdown; none for an unanswered call. */
export function minutesItems(call: TimedCall, pricing: Pricing | null): CostItem[] {
  if (call.answered_at === null) return [];
  return [
    {
      provider: 'telephony',
      model: null,
      kind: 'call_minutes',
      quantity: minutesOf(call.duration_seconds ?? 0),
      unit: 'minute',
      price: priceOfMinutes(call, pricing),
      is_estimate: false,
      own_key: false,
    },
  ];
}
