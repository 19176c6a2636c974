import type { Clock } from '@va/core/adapter';
import type { RawResponse } from '../../route/route.ts';
import { eventStream, type ServerSentEvent } from './event-stream.ts';

/**
 * Responds with server-sent events until the client disconnects, which aborts the signal passed to `open`. If `open`
 * returns null, no event can follow, and the response is 204, after which a browser's `EventSource` does not reconnect
 * (HTML Standard §9.2.3).
 */
export async function streamOf<T>(
  clock: Clock,
  request: { readonly signal: AbortSignal },
  open: (signal: AbortSignal) => Promise<AsyncIterable<T> | null>,
  written: (event: T) => ServerSentEvent,
): Promise<RawResponse> {
  // Not every server aborts the request when its client disconnects, and no server does so at shutdown.
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
