/**
 * The caller's pauses within turns, learned from pauses after which the same turn continued; their weight decreases
 * turn by turn.
 */

/** Weight of the newest pause. */
const weight = 0.5;
const forgetting = 0.8;
/** Tolerance: a caller's next pause may be slightly longer than those before. */
const margin = 1.2;
/** Longer pauses are not typical: the caller was busy or waited for the agent. */
const longestPauseMs = 3_000;

export function learnPause(learnedMs: number | null, pauseMs: number): number | null {
  if (pauseMs <= 0 || pauseMs > longestPauseMs) return learnedMs;
  return learnedMs === null ? pauseMs : learnedMs + weight * (pauseMs - learnedMs);
}

export function forgetPause(learnedMs: number | null): number | null {
  return learnedMs === null ? null : learnedMs * forgetting;
}

/** Returns the length of a pause that does not end a turn; 0 before anything was learned. */
export function pendingPauseMs(learnedMs: number | null): number {
  return (learnedMs ?? 0) * margin;
}
