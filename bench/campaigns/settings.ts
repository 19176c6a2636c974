/** Settings of a run. */
export interface Settings {
  readonly connectionString: string;
  readonly leads: number;
  /** Number of passes of each measurement. */
  readonly passes: number;
}

export const campaigns = 5;
/** Pace of each campaign: one call per second. */
export const callsPerMinute = 60;
/** Duration of an answered call. One of `busyEvery` calls is busy instead, and retried. */
export const callSeconds = 15;
export const busyEvery = 4;
export const retryDelaySeconds = 30;
/** Call slots of the process. */
export const maxCalls = 220;
/** Share of the leads that are marked as called before the second measurement. */
export const finishedShare = 0.9;
