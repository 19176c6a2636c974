/** The number of calls at an instant. */
export interface CallsSample {
  readonly atMs: number;
  readonly calls: number;
}

const windowMs = 180_000;
const shortestMs = 5_000;

/** Adds a sample and drops those outside the window. */
export function withSample(samples: readonly CallsSample[], sample: CallsSample): readonly CallsSample[] {
  return [...samples.filter(({ atMs }) => sample.atMs - atMs <= windowMs), sample];
}

/** Returns calls per minute over the samples; null before the minimum observation time. */
export function paceOf(samples: readonly CallsSample[]): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.atMs - first.atMs < shortestMs) return null;
  return ((last.calls - first.calls) * 60_000) / (last.atMs - first.atMs);
}
