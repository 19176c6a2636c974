import type { CallEvent, Client, LiveEvent } from '@va/client';
import { useEffect, useReducer } from 'preact/hooks';
import { type EventStreamState, useStream, worstOf } from '../../../data/use-stream.ts';
import { type CallView, changeView, emptyView, isOver, type ViewChange } from './call-view.ts';

/** Delay before ended interim text is removed. Confirmed text is in the transcript by then. */
const settleMs = 1_500;

export interface WatchedCall {
  readonly view: CallView;
  readonly connection: EventStreamState;
  readonly error: unknown;
  readonly retry: () => void;
  readonly apply: (change: ViewChange) => void;
}

/** Follows the stored and the live events of a call. */
export function useLiveCall(client: Client, id: string): WatchedCall {
  const [view, apply] = useReducer(changeView, emptyView);
  const events = useStream(
    id,
    (options) => client.calls.events(id, options),
    (event: CallEvent) => apply({ type: 'event', event }),
  );
  const hasEnded = isOver(view);
  const moments = useStream(
    `${id} ${hasEnded}`,
    (options) => (hasEnded ? nothing() : client.calls.live({ call_id: id }, options)),
    (event: LiveEvent) => apply({ type: 'moment', event, nowMs: Date.now() }),
  );
  useEffect(() => {
    if (moments.round > 1) apply({ type: 'reconnected' });
  }, [moments.round]);
  const { isPartialOver, isSpeechOver } = view;
  useEffect(() => {
    if (!isPartialOver && !isSpeechOver) return;
    const timer = setTimeout(() => apply({ type: 'settle' }), settleMs);
    return () => clearTimeout(timer);
  }, [isPartialOver, isSpeechOver]);
  return {
    ...{ view, apply },
    connection: hasEnded ? 'open' : worstOf(events.connection, moments.connection),
    error: events.error ?? (hasEnded ? null : moments.error),
    retry() {
      if (events.error !== null) events.retry();
      if (moments.error !== null) moments.retry();
    },
  };
}

/** An ended call has no live events. */
async function* nothing(): AsyncGenerator<LiveEvent, void, void> {}
