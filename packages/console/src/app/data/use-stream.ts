import type { WatchOptions } from '@va/client';
import { useEffect, useState } from 'preact/hooks';

/** `lost` means that the stream is not reconnected any more. */
export type EventStreamState = 'connecting' | 'open' | 'broken' | 'lost';

export interface StreamHandle {
  readonly connection: EventStreamState;
  /** The error that ended the stream; null while it is open or reconnecting. */
  readonly error: unknown;
  /** Number of connections so far. Events between two of them may be missing. */
  readonly round: number;
  readonly retry: () => void;
}

type StreamOptions = Pick<WatchOptions, 'signal' | 'onConnection' | 'maxReconnects'>;

/**
 * Reads a stream of the API while the component is mounted, from the start whenever `key` changes. Reconnects until the
 * service refuses the stream.
 */
export function useStream<T>(
  key: string,
  open: (options: StreamOptions) => AsyncIterable<T>,
  onItem: (item: T) => void,
): StreamHandle {
  const [connection, setConnection] = useState<EventStreamState>('connecting');
  const [error, setError] = useState<unknown>(null);
  const [round, setRound] = useState(0);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const onConnection = (isConnected: boolean): void => {
      if (signal.aborted) return;
      setConnection(isConnected ? 'open' : 'broken');
      if (isConnected) setRound((before) => before + 1);
    };
    setError(null);
    setConnection('connecting');
    const read = async (): Promise<void> => {
      const items = open({ signal, onConnection, maxReconnects: Number.MAX_SAFE_INTEGER });
      for await (const item of items) if (!signal.aborted) onItem(item);
    };
    read().catch((thrown: unknown) => {
      if (signal.aborted) return;
      setConnection('lost');
      setError(thrown);
    });
    return () => leaving.abort();
  }, [key, attempt]);
  return { connection, error, round, retry: () => setAttempt((before) => before + 1) };
}

/** Returns the worst state of several connections. */
export function worstOf(...connections: readonly EventStreamState[]): EventStreamState {
  const found = (['lost', 'broken', 'connecting'] as const).find((each) => connections.includes(each));
  return found ?? 'open';
}
