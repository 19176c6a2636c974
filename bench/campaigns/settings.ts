/** What a run does, shorter ones too. */
export interface Settings {
  readonly connectionString: string;
  readonly leads: number;
  /** Passes that are measured, of each kind. */
  readonly passes: number;
}

export const campaigns = 5;
/** Of each campaign: one is dialed in each second. */
export const callsPerMinute = 60;
/** How long a call lasts, and which of them the other end is busy: the lead comes back. */
export const callSeconds = 15;
export const busyEvery = 4;
export const retryDelaySeconds = 30;
/** Calls of the process at once. */
export const maxCalls = 220;
/** The part of the leads that has been called in the second half. */
export const finishedShare = 0.9;
