import type { Client } from '@va/client';
import { useEffect, useState } from 'preact/hooks';

/** Counts the calls that ended since the list was loaded. */
export function useEndedCalls(client: Client, list: unknown): number {
  const [ended, setEnded] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setEnded(0);
    void watch(client, controller.signal, () => setEnded((before) => before + 1));
    return () => controller.abort();
  }, [client, list]);
  return ended;
}

/**
 * Calls `onEnd` for each call that ends. Returns without an error if the stream fails, such as when the key has too
 * many streams open.
 */
async function watch(client: Client, signal: AbortSignal, onEnd: () => void): Promise<void> {
  try {
    for await (const event of client.calls.watch({ signal })) {
      if (event.type === 'status' && (event.data.status === 'ended' || event.data.status === 'failed')) onEnd();
    }
  } catch {
    return;
  }
}
