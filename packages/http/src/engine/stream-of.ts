import type { Clock } from '@va/core';
import type { RawAnswer } from '../routes/route.ts';
import { eventStream, type ServerSentEvent } from './event-stream.ts';

/**
 * Sends what happens as it is `written`, until the signal that `open` is given tells that nobody listens any more. Where `open` gives null,
 * there is nothing more to tell: 204, after which a browser's `EventSource` does not come back (HTML Standard §9.2.3).
 */
export async function streamOf<T>(
  clock: Clock,
  request: { readonly signal: AbortSignal },
  open: (signal: AbortSignal) => Promise<AsyncIterable<T> | null>,
  written: (event: T) => ServerSentEvent,
): Promise<RawAnswer> {
  // Not every server aborts the request of a client that goes, and the end of the service aborts none.
  const cancelled = new AbortController();
  const events = await open(AbortSignal.any([request.signal, cancelled.signal]));
  if (events === null) return { status: 204, headers: {}, body: null };
  return eventStream(writing(events, written), { clock, onCancel: () => cancelled.abort() });
}

async function* writing<T>(
  events: AsyncIterable<T>,
  written: (event: T) => ServerSentEvent,
): AsyncGenerator<ServerSentEvent, void, void> {
  for await (const event of events) yield written(event);
}
