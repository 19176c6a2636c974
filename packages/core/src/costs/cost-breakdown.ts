import type { Call } from '../domain/calls/call.ts';
import type { CostItem } from '../domain/costs/cost-item.ts';
import { roundCost } from './round-cost.ts';

/** Returns the sum of the prices of a breakdown; null if none of its items has a price. */
export function totalCost(items: Iterable<Pick<CostItem, 'price'>>): number | null {
  let total: number | null = null;
  for (const { price } of items) if (price !== null) total = (total ?? 0) + price;
  return total === null ? null : roundCost(total);
}

/** Returns the fields of a call's record about its cost. */
export function costFields(items: readonly CostItem[]): Pick<Call, 'cost' | 'cost_breakdown'> {
  const merged = mergeItems(items);
  return { cost: totalCost(merged), cost_breakdown: merged };
}

/** Adds up items of the same provider, model, kind and key, in the order of their first occurrence. */
export function mergeItems(items: readonly CostItem[]): CostItem[] {
  const merged = new Map<string, CostItem>();
  for (const item of items) {
    const key = JSON.stringify([item.provider, item.model, item.kind, item.own_key]);
    const before = merged.get(key);
    merged.set(key, before === undefined ? item : sumOf(before, item));
  }
  return [...merged.values()];
}

function sumOf(one: CostItem, other: CostItem): CostItem {
  const hasPrice = one.price !== null || other.price !== null;
  return {
    ...one,
    quantity: roundCost(one.quantity + other.quantity),
    price: hasPrice ? roundCost((one.price ?? 0) + (other.price ?? 0)) : null,
    is_estimate: one.is_estimate || other.is_estimate,
  };
}
