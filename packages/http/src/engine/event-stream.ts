import type { Clock } from '@va/core';
import type { RawAnswer } from '../routes/route.ts';

/** @see HTML Standard §9.2.6 */
export interface ServerSentEvent {
  /** What a client that comes back names in `Last-Event-ID`. */
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
}

export interface EventStreamOptions {
  readonly clock: Clock;
  /** A comment is sent when nothing else was for so long, or proxies would take the stream for dead; 15 s by default. */
  readonly keepAliveMs?: number;
  /** Nobody listens any more. */
  readonly onCancel?: () => void;
}

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  // nginx would collect events until it has a buffer full of them.
  'x-accel-buffering': 'no',
};

/**
 * Sends events as they come, no faster than the client takes them. When the client goes, the iterator is told to
 * return; one that waits does not hear of it, so that the events' source has to heed `onCancel` too.
 */
export function eventStream(events: AsyncIterable<ServerSentEvent>, options: EventStreamOptions): RawAnswer {
  const { clock, keepAliveMs = 15_000, onCancel } = options;
  const iterator = events[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let coming: Promise<IteratorResult<ServerSentEvent>> | null = null;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        coming ??= iterator.next();
        const idle = timeout(clock, keepAliveMs);
        const came = await Promise.race([coming, idle.elapsed]);
        idle.cancel();
        if (came === null) return controller.enqueue(encoder.encode(': keep-alive\n\n'));
        coming = null;
        if (came.done === true) controller.close();
        else controller.enqueue(encoder.encode(written(came.value)));
      },
      cancel() {
        onCancel?.();
        void Promise.resolve(iterator.return?.()).catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
  return { status: 200, headers, body, isEndless: true };
}

function timeout(clock: Clock, ms: number): { readonly elapsed: Promise<null>; cancel(): void } {
  let cancel = (): void => {};
  const elapsed = new Promise<null>((resolve) => {
    const timer = clock.setTimer(ms, () => resolve(null));
    cancel = () => timer.cancel();
  });
  return { elapsed, cancel: () => cancel() };
}

/** A line break within an id or a name would start another field. */
function written({ id, event, data }: ServerSentEvent): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`);
  if (event !== undefined) lines.unshift(`event: ${oneLine(event)}`);
  if (id !== undefined) lines.unshift(`id: ${oneLine(id)}`);
  return `${lines.join('\n')}\n\n`;
}

function oneLine(text: string): string {
  return text.replace(/[\r\n\0]/g, '');
}
