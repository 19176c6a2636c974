/** Rounds an amount to a millionth of the currency. */
export function roundCost(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}
