/** Settings of a run. */
export interface Settings {
  readonly connectionString: string;
  readonly leads: number;
  /** Passes measured of each kind. */
  readonly passes: number;
}

export const campaigns = 5;
/** Pace of each campaign: one call per second. */
export const callsPerMinute = 60;
/** Duration of a call, and share of busy ones, which are retried. */
export const callSeconds = 15;
export const busyEvery = 4;
export const retryDelaySeconds = 30;
/** Call slots of the process. */
export const maxCalls = 220;
/** Share of the leads that are called in the second half. */
export const finishedShare = 0.9;
