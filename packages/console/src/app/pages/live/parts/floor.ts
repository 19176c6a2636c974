import type { LiveEvent } from '@va/client';

export type LiveStateEvent = Extract<LiveEvent, { type: 'state' }>;

/** Audio levels of both sides in dBFS. */
export type SideLevels = Pick<Extract<LiveEvent, { type: 'levels' }>, 'caller_db' | 'agent_db'>;

/** The floor of the conversation, with times of the page's clock. */
export interface FloorView {
  readonly state: LiveStateEvent;
  /** Time of arrival; the remaining time of a wait counts from it. */
  readonly receivedAtMs: number;
  /** Time since which the agent has been waiting for the same thing. */
  readonly waitsSinceMs: number;
}

/** Returns the floor after a new state. */
export function nextFloor(before: FloorView | null, state: LiveStateEvent, nowMs: number): FloorView {
  const isSameWait =
    before !== null && before.state.waits_for === state.waits_for && before.state.tools.join() === state.tools.join();
  return { state, receivedAtMs: nowMs, waitsSinceMs: isSameWait ? before.waitsSinceMs : nowMs };
}
