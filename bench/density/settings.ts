/** Settings shared by the processes. */
export const number = '+31201234567';
export const endpointingMs = 200;
export const interruptionMs = 200;
/** Duration of the caller's speech in a turn. */
export const speechMs = 1_000;
/** Turns per round; the reply to the last one is long and interrupted by the caller. */
export const turnsInRound = 4;
export const levels = [1, 10, 50, 100, 200] as const;
/** Rounds of the levels that have goals; their median counts. */
export const rounds = 3;
/** Warm-up once all calls are up: by then hot code is compiled. */
export const warmingMs = 15_000;
export const steadyMs = 20_000;
/** Delay relative to its place in the stream from which a frame is late. */
export const lateMs = 5;

export interface ServiceFigures {
  /** From the caller's last frame to the first audio of the reply, without endpointing. */
  readonly turnMs: readonly number[];
  /**
   * From the first frame of an interruption to the agent's silence, without the duration required of an interruption;
   * of calls that ended since the last request.
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
