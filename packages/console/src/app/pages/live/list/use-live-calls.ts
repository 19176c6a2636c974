import type { CallEvent, Client, LiveEvent } from '@va/client';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { type EventStreamState, useStream, worstOf } from '../../../data/use-stream.ts';
import { useTimers } from '../../../data/use-timers.ts';
import { changeCalls, isEnd, isUnknown, type LiveCallList, type LiveChange, noCalls } from './live-calls.ts';

export const maxListed = 100;
/** Delay added per request of the list within the last minute, which bounds them to about ten a minute. */
const addedWaitMs = 1_000;
const minuteMs = 60_000;
/** Time for which an ended call stays in the list. */
const endedShownMs = 6_000;
/** Interval at which streamed events are rendered. */
const gatherMs = 100;

export interface WatchedCalls {
  readonly live: LiveCallList;
  /** Number of live calls; null until the list is loaded. */
  readonly total: number | null;
  readonly connection: EventStreamState;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Loads the live calls and follows their streams. Loads the list again for calls that it lacks. */
export function useLiveCalls(client: Client): WatchedCalls {
  const [live, apply] = useReducer(
    (before: LiveCallList, changes: readonly LiveChange[]) => changes.reduce(changeCalls, before),
    noCalls,
  );
  const known = useRef(live);
  known.current = live;
  const gather = useGathered(apply);
  const { total, error, reload } = useList(client, (change) => apply([change]));
  const ended = useTimers();
  const reloadFor = (event: LiveEvent | CallEvent): void => {
    if (isUnknown(known.current, event) && known.current.calls.size < maxListed) reload();
  };

  const watch = useStream('calls', client.calls.watch, (event: CallEvent) => {
    gather({ type: 'event', event });
    reloadFor(event);
    if (isEnd(event)) ended(endedShownMs, () => apply([{ type: 'gone', id: event.call_id }]));
  });
  const moments = useStream(
    'moments',
    (options) => client.calls.live({}, options),
    (event: LiveEvent) => {
      gather({ type: 'moment', event, nowMs: Date.now() });
      reloadFor(event);
    },
  );
  // Reloads the list, which has the changes that were missed while disconnected.
  useEffect(() => {
    if (watch.round > 0) reload();
  }, [watch.round]);
  useEffect(() => {
    if (moments.round > 1) apply([{ type: 'reconnected' }]);
  }, [moments.round]);

  return {
    ...{ live, total },
    connection: worstOf(watch.connection, moments.connection),
    error: watch.error ?? moments.error ?? error,
    retry() {
      if (watch.error !== null) watch.retry();
      if (moments.error !== null) moments.retry();
      reload();
    },
  };
}

/** Loads the list on request: the first time at once, then with a delay that grows with recent requests. */
function useList(
  client: Client,
  apply: (change: LiveChange) => void,
): { readonly total: number | null; readonly error: unknown; readonly reload: () => void } {
  const [total, setTotal] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const state = useRef(newList());
  const load = async (): Promise<void> => {
    const { current } = state;
    const { signal } = current.leaving;
    current.isDue = false;
    current.loadsMs = [...current.loadsMs.filter((ms) => ms > Date.now() - minuteMs), Date.now()];
    const query = { status: ['queued', 'connecting', 'in-progress'], limit: maxListed } as const;
    try {
      const { calls, pagination } = await client.calls.list(query, { signal });
      apply({ type: 'listed', calls });
      setTotal(pagination.total);
      setError(null);
    } catch (thrown) {
      if (!signal.aborted) setError(thrown);
    }
  };
  const after = useTimers();
  useEffect(() => {
    state.current = newList();
    const { leaving } = state.current;
    return () => leaving.abort();
  }, []);
  const reload = (): void => {
    const { current } = state;
    if (current.isDue) return;
    current.isDue = true;
    const lastMs = current.loadsMs.at(-1) ?? 0;
    const recent = current.loadsMs.filter((ms) => ms > Date.now() - minuteMs).length;
    after(Math.max(0, lastMs + recent * addedWaitMs - Date.now()), () => void load());
  };
  return { total, error, reload };
}

interface List {
  readonly leaving: AbortController;
  /** Timestamps of the requests of the last minute. */
  loadsMs: readonly number[];
  isDue: boolean;
}

function newList(): List {
  return { leaving: new AbortController(), loadsMs: [], isDue: false };
}

/** Returns a function that batches changes and applies them together. */
function useGathered(apply: (changes: readonly LiveChange[]) => void): (change: LiveChange) => void {
  const gathered = useRef<LiveChange[]>([]);
  const after = useTimers();
  return (change) => {
    if (gathered.current.push(change) > 1) return;
    after(gatherMs, () => apply(gathered.current.splice(0)));
  };
}
