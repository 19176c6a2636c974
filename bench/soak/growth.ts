import { median } from '../support/statistics.ts';

/** What is held against itself: its values over time, and by how much they may differ without anything being lost. */
export interface Watched {
  readonly what: string;
  readonly values: readonly number[];
  readonly tolerance: number;
}

/** How much each has grown from the first third to the last, where that is more than a tenth and what is tolerated. */
export function growthOf(watched: readonly Watched[]): string[] {
  return watched.flatMap(({ what, values, tolerance }) => {
    const third = Math.floor(values.length / 3);
    const [first, last] = [median(values.slice(0, third)), median(values.slice(-third))];
    const isFlat = last - first <= tolerance + first / 10;
    return isFlat ? [] : [`${what} has grown from ${first.toFixed(1)} to ${last.toFixed(1)}`];
  });
}
