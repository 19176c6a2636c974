/** What the processes of the bench have to agree on. */
export const number = '+31201234567';
export const endpointingMs = 200;
export const interruptionMs = 200;
/** The caller's speech in a turn. */
export const speechMs = 1_000;
/** Of so many turns, the last is a story that the caller interrupts. */
export const turnsInRound = 4;
export const levels = [1, 10, 50, 100, 200] as const;
/** Of what is compared with goals, the median of so many. */
export const rounds = 3;
/** From when all calls are up: by then what they run has been compiled, as it has been on a service's second minute. */
export const warmingMs = 15_000;
export const steadyMs = 20_000;
/** A frame that comes so much later than its place in the stream is late. */
export const lateMs = 5;

export interface ServiceFigures {
  /** Beyond the endpointing, from the caller's last frame to the first audio of the reply. */
  readonly turnMs: readonly number[];
  /**
   * Beyond the time that it takes to count as one, from the first frame of an interruption to the agent's silence; of
   * the calls that have ended since it was told last.
   */
  readonly bargeMs: readonly number[];
  readonly cpuMs: number;
  readonly elapsedMs: number;
  readonly rssMb: number;
}

export interface CallerFigures {
  readonly frames: number;
  readonly lateFrames: number;
}
