/** Seed of the split of the recordings, of pauses, of the recognizer's timing and of the order of turns. */
export const seed = 17;
/** Number of turns of each kind, both for judging and for tuning. */
export const turnsOf = { whole: 120, paused: 80, sentences: 25, answer: 60, digits: 8 } as const;
/** Number of times that the turns are played without noise, each time with other pauses. */
export const pauseDraws = 3;
/** Number of turns that are played with noise, of all kinds in the same proportions. */
export const noisyTurns = 40;
export const interruptions = 40;
export const backchannels = 40;
export const noises = 40;
/** Number of turns of a call: the service learns the usual pauses of a caller within one call. */
export const turnsPerCall = 12;

/**
 * Pauses within a turn: log-normal, with this median and this standard deviation of the natural logarithm.
 * Campione and Véronis (2002) report a log-normal distribution of silent pauses in five languages with modes at about
 * 150 and 500 ms; Heldner and Edlund (2010) a median of pauses between a speaker's own stretches of about 500 ms.
 */
export const pause = { medianMs: 500, sigma: 0.6, shortestMs: 200, longestMs: 3_000 } as const;

/** Timing of a streaming recognizer, in milliseconds. */
export const recognizer = {
  partialEveryMs: [100, 300],
  /** From a word's end to the partial that has it. */
  lagMs: [150, 300],
  /** From a request to finalize to the final words. */
  finalMs: [80, 250],
  /** Share of the final pieces within a sentence that end with a full stop all the same. */
  falseStops: 0.4,
} as const;

/** Longest wait for a reply. */
export const replyLimitMs = 5_000;
/** Duration of a letter of the scripted voice. */
export const msPerLetter = 50;
