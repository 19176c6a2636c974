import { median } from '../support/statistics.ts';

/** A measured quantity: its values over time, and the difference that does not count as a leak. */
export interface Watched {
  readonly what: string;
  readonly values: readonly number[];
  readonly tolerance: number;
}

/** Lists the quantities that grew from the first third to the last by more than 10 % and the tolerated difference. */
export function growthOf(watched: readonly Watched[]): string[] {
  return watched.flatMap(({ what, values, tolerance }) => {
    const third = Math.floor(values.length / 3);
    const [first, last] = [median(values.slice(0, third)), median(values.slice(-third))];
    const isFlat = last - first <= tolerance + first / 10;
    return isFlat ? [] : [`${what} has grown from ${first.toFixed(1)} to ${last.toFixed(1)}`];
  });
}
