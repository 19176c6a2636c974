import type { FieldFault } from '../errors.ts';

/**
 * Returns the fault of a budget or credit without prices: calls would never have a cost, and the limit no effect.
 * @param currency currency of the host's prices; null or undefined without prices
 */
export function budgetFaults(path: string, given: unknown, currency: string | null | undefined): FieldFault[] {
  if (given === null || given === undefined || (currency ?? null) !== null) return [];
  const message = 'needs prices: this service has none, so that its calls have no cost';
  return [{ path, code: 'invalid_field', message }];
}
