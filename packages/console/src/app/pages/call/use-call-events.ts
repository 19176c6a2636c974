import type { CallEvent, Client } from '@va/client';
import { useEffect, useState } from 'preact/hooks';

export interface CallEvents {
  readonly events: readonly CallEvent[];
  readonly error: unknown;
  /** True after the last event of the call. */
  readonly isComplete: boolean;
}

/** Time over which events are batched before a render: a replay has thousands. */
const gatherMs = 50;

/** Reads the events of a call from the first to its end. */
export function useCallEvents(client: Client, callId: string): CallEvents {
  const [state, setState] = useState<CallEvents>({ events: [], error: null, isComplete: false });
  useEffect(() => {
    const controller = new AbortController();
    const events: CallEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | null = null;
    const show = (error: unknown, isComplete: boolean): void => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      if (!controller.signal.aborted) setState({ events: [...events], error, isComplete });
    };
    setState({ events: [], error: null, isComplete: false });
    const follow = async (): Promise<void> => {
      for await (const event of client.calls.events(callId, { signal: controller.signal })) {
        events.push(event);
        timer ??= setTimeout(() => show(null, false), gatherMs);
      }
    };
    follow().then(
      () => show(null, true),
      (error: unknown) => show(error, true),
    );
    return () => controller.abort();
  }, [client, callId]);
  return state;
}
