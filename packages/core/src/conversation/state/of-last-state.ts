import type { ConversationState } from './conversation-state.ts';

/**
 * Keeps what was derived from the last state: a step and its runner ask for the same one several times. All calls share
 * it, so that nothing is left of a call after the next step of another one.
 */
export function ofLastState<T>(derive: (state: ConversationState) => T): (state: ConversationState) => T {
  let last: { readonly state: ConversationState; readonly derived: T } | null = null;
  return (state) => {
    if (last?.state !== state) last = { state, derived: derive(state) };
    return last.derived;
  };
}
