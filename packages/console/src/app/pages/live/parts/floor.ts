import type { LiveEvent } from '@va/client';

export type LiveState = Extract<LiveEvent, { type: 'state' }>;

/** Loudness of both sides. */
export type Levels = Pick<Extract<LiveEvent, { type: 'levels' }>, 'caller_db' | 'agent_db'>;

/** Who has the floor, and since when by the clock of the page. */
export interface Floor {
  readonly state: LiveState;
  /** Time of arrival, which the remaining time of a wait counts from. */
  readonly receivedAtMs: number;
  /** Time since which the agent waits for the same. */
  readonly waitsSinceMs: number;
}

/** Returns the floor after a new state. */
export function nextFloor(before: Floor | null, state: LiveState, nowMs: number): Floor {
  const isSameWait =
    before !== null && before.state.waits_for === state.waits_for && before.state.tools.join() === state.tools.join();
  return { state, receivedAtMs: nowMs, waitsSinceMs: isSameWait ? before.waitsSinceMs : nowMs };
}
