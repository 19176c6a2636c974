/** Seconds. In steps of 0.1 s up to 1 s: callers notice a reply later than 0.8 s. */
export const turnBuckets: number[] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 2, 3, 5, 10];
/** Seconds. For the parts of a turn, in which tens of milliseconds matter. */
export const partBuckets: number[] = [0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2, 3, 5];
/** Seconds. For the time from the first ring to the answer, up to a minute. */
export const answerBuckets: number[] = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60];
/** Seconds. Up to the time limits of a tool (10 s) and of a webhook (15 s). */
export const requestBuckets: number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
/** Seconds. For the jitter of received RTP packets. */
export const jitterBuckets: number[] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2];
/** Seconds. For the duration of calls, up to an hour. */
export const durationBuckets: number[] = [5, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600];
