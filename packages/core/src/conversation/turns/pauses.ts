/**
 * How this caller pauses within a turn, learned from the pauses that were followed by more of the same turn, and
 * forgotten again turn by turn.
 */

/** The newest pause counts for this much. */
const weight = 0.5;
const forgetting = 0.8;
/** A caller's next pause may be a little longer than those before it. */
const margin = 1.2;
/** Longer pauses are no habit: the caller was busy, or waited for the agent. */
const longestPauseMs = 3_000;

export function learnPause(learnedMs: number | null, pauseMs: number): number | null {
  if (pauseMs <= 0 || pauseMs > longestPauseMs) return learnedMs;
  return learnedMs === null ? pauseMs : learnedMs + weight * (pauseMs - learnedMs);
}

export function forgetPause(learnedMs: number | null): number | null {
  return learnedMs === null ? null : learnedMs * forgetting;
}

/** How long a pause may be that is not the end of a turn; 0 where nothing has been learned. */
export function pendingPauseMs(learnedMs: number | null): number {
  return (learnedMs ?? 0) * margin;
}
