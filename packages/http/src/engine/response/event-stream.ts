import type { Clock } from '@va/core/adapter';
import type { RawResponse } from '../../route/route.ts';

/** @see HTML Standard §9.2.6 */
export interface ServerSentEvent {
  /** Sent back in `Last-Event-ID` by a client that reconnects. */
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
}

/** Options of `eventStream()`. */
export interface EventStreamOptions {
  readonly clock: Clock;
  /** Idle time after which a comment is sent, so that proxies keep the connection; 15 s by default. */
  readonly keepAliveMs?: number;
  /** Called when the client has disconnected. */
  readonly onCancel?: () => void;
}

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  // Turns off nginx's response buffering, which would delay events.
  'x-accel-buffering': 'no',
};

/** Maximum number of events in one chunk. */
const maxTogether = 100;

/**
 * Streams events at the pace of the client. Events that arrive within one turn of the event loop are written together,
 * because a chunk and a timer for each one cost more than the event. When the client disconnects, the iterator's
 * `return` is called; this does not interrupt an iterator that waits for its next event, so the source has to handle
 * `onCancel` as well.
 */
export function eventStream(events: AsyncIterable<ServerSentEvent>, options: EventStreamOptions): RawResponse {
  const { clock, keepAliveMs = 15_000, onCancel } = options;
  const iterator = events[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let coming: Promise<IteratorResult<ServerSentEvent>> | null = null;

  /**
   * Returns the text of further events that arrive in this turn of the event loop. An end or an error of the iterator
   * is left to the next read.
   */
  async function textOfOthers(): Promise<string> {
    if (clock.afterInput === undefined) return '';
    const over = new Promise<null>((resolve) => clock.afterInput?.(() => resolve(null)));
    let text = '';
    for (let n = 1; n < maxTogether; n += 1) {
      coming = iterator.next();
      const came = await Promise.race([coming, over]).catch(() => null);
      if (came === null || came.done === true) break;
      coming = null;
      text += written(came.value);
    }
    return text;
  }

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        coming ??= iterator.next();
        const idle = timeout(clock, keepAliveMs);
        const came = await Promise.race([coming, idle.elapsed]);
        idle.cancel();
        if (came === null) return controller.enqueue(encoder.encode(': keep-alive\n\n'));
        coming = null;
        if (came.done === true) return controller.close();
        const text = written(came.value) + (await textOfOthers());
        controller.enqueue(encoder.encode(text));
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

/** Serializes one event. Line breaks are removed from `id` and `event`, because they would start another field. */
function written({ id, event, data }: ServerSentEvent): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`);
  if (event !== undefined) lines.unshift(`event: ${oneLine(event)}`);
  if (id !== undefined) lines.unshift(`id: ${oneLine(id)}`);
  return `${lines.join('\n')}\n\n`;
}

function oneLine(text: string): string {
  return text.replace(/[\r\n\0]/g, '');
}
