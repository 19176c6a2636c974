import type { ConversationState } from './conversation-state.ts';

/**
 * Returns `derive` with a cache of one result, because a step and its runner ask for the same state several times. All
 * phone calls share the cache, so the state of an ended call is released by the next step of another one.
 */
export function ofLastState<T>(derive: (state: ConversationState) => T): (state: ConversationState) => T {
  let last: { readonly state: ConversationState; readonly derived: T } | null = null;
  return (state) => {
    if (last?.state !== state) last = { state, derived: derive(state) };
    return last.derived;
  };
}
