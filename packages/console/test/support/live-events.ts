import type { CallEvent, LiveEvent } from '@va/client';

const baseMs = Date.UTC(2026, 2, 1, 12);

/** Returns the instant this many seconds after the start of the scripted calls. */
export function instant(seconds: number): string {
  return new Date(baseMs + seconds * 1_000).toISOString();
}

type LiveState = Extract<LiveEvent, { type: 'state' }>;

/** Returns the state of a live conversation: by default, the agent waits for the caller. */
export function liveState(call_id: string, changes: Partial<LiveState> = {}): LiveState {
  return {
    type: 'state',
    call_id,
    at: instant(0),
    state: 'listening',
    caller_speaks: false,
    waits_for: 'caller',
    remaining_ms: null,
    tools: [],
    is_muted: false,
    is_taken_over: false,
    ...changes,
  };
}

/** Returns a stored event of a call. */
export function callEvent<Type extends CallEvent['type']>(
  call_id: string,
  id: number,
  type: Type,
  data: Extract<CallEvent, { type: Type }>['data'],
  seconds = 0,
): CallEvent {
  return { id: String(id), type, call_id, at: instant(seconds), data } as CallEvent;
}
