import type { UserTurn } from './user-turn.ts';

/** The turn model's judgement of the caller's current pause. */
interface TurnPrediction {
  /** Number of the request; answers to other requests are stale. */
  readonly request: number;
  /** End of the speech before the pause, which identifies the pause. */
  readonly lastSpeechAtMs: number;
  /** Words that the model was asked about. */
  readonly text: string;
  readonly isPending: boolean;
  /** Probability that the turn is over; null while pending, and if the model gave no usable answer. */
  readonly probability: number | null;
}

export interface TurnPredictions {
  /** Null outside of pauses, and until the model is asked. */
  readonly current: TurnPrediction | null;
  /** Number of requests in this turn. */
  readonly requests: number;
}

export const noPredictions: TurnPredictions = { current: null, requests: 0 };

/** Returns the end of the speech before the current pause; null while the caller speaks or has no detected speech. */
export function pausedAfterMs({ kind, voiced, pausedAtMs, lastSpeechAtMs }: UserTurn): number | null {
  if (!voiced || kind === 'idle') return null;
  return kind === 'ending' || pausedAtMs !== null ? lastSpeechAtMs : null;
}

/** Returns the probability that the turn is over; null if the model has not judged the current pause. */
export function endProbability(userTurn: UserTurn, { current }: TurnPredictions): number | null {
  return current !== null && current.lastSpeechAtMs === pausedAfterMs(userTurn) ? current.probability : null;
}
