import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ApiError, ConnectionError, isObject } from './errors.ts';
import { backoff } from './retry-policy.ts';
import { type ApiRequest, brokeOff, type Transport } from './transport.ts';

/** A server-sent event. */
export type StreamMessage = EventSourceMessage;

/** Options of event streams. */
export interface WatchOptions {
  /** Stops the iteration, which rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Id of the event to resume after. By default a call starts at its first event, all calls at the present. */
  readonly lastEventId?: string | undefined;
  /**
   * Maximum number of consecutive reconnects that fail; 10 by default. For the events of one call, a connection that
   * breaks before its first event counts as failed.
   */
  readonly maxReconnects?: number | undefined;
  /**
   * Time in ms without data after which a connection counts as broken; 45,000 by default. The service sends a
   * keep-alive every 15 s.
   */
  readonly idleTimeoutMs?: number | undefined;
  /** Called with true when the stream connects, and with false when it disconnects and will reconnect. */
  readonly onConnection?: ((isConnected: boolean) => void) | undefined;
}

/** Maximum delay between reconnects. */
const maxBackoffMs = 10_000;

/**
 * Yields the server-sent events of a stream. Reconnects after a broken connection, at most `maxReconnects` times in a
 * row. Throws the errors of `Transport.open` if it cannot connect.
 * @param ends true if a connection that ends without an event means the end of the stream
 */
export async function* watchMessages(
  transport: Transport,
  request: ApiRequest,
  options: WatchOptions,
  ends: boolean,
): AsyncGenerator<StreamMessage, void, void> {
  const { signal = new AbortController().signal, maxReconnects = 10, idleTimeoutMs = 45_000, onConnection } = options;
  let { lastEventId } = options;
  let hasConnected = false;
  let breaks = 0;
  for (;;) {
    const resume: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const headers = { accept: 'text/event-stream', ...resume };
    let broken: unknown = null;
    try {
      // After the first connection, this loop retries instead of the transport.
      const retry = hasConnected ? { limit: 0 } : {};
      const response = await transport.open({ ...request, headers }, { signal }, retry);
      hasConnected = true;
      onConnection?.(true);
      // An endless stream may be cut off without an event, which is not a failure.
      if (!ends) breaks = 0;
      let hasCome = false;
      for await (const message of readMessages(response, idleTimeoutMs, signal)) {
        hasCome = true;
        breaks = 0;
        lastEventId = message.id ?? lastEventId;
        yield message;
      }
      // A stream that ends without an event is complete. One with events may have ended because of a shutdown.
      if (!hasCome && ends) return;
    } catch (error) {
      signal.throwIfAborted();
      if (!hasConnected || !mayPass(error)) throw error;
      broken = error;
    }
    breaks += 1;
    if (breaks > maxReconnects) throw broken ?? brokeOff(null);
    onConnection?.(false);
    const askedMs = broken instanceof ApiError ? broken.retryAfterMs : null;
    await delay(Math.min(maxBackoffMs, askedMs ?? backoff(transport.retry.backoffMs, breaks)), signal);
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return [429, 502, 503, 504].includes(error.status);
  return error instanceof ConnectionError && error.code !== 'invalid_answer';
}

/** @see HTML Standard §9.2.6 */
async function* readMessages(
  { body }: Response,
  idleTimeoutMs: number,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage, void, void> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const messages: StreamMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  // Cancels the body explicitly: Node's fetch may lose the signal by garbage collection.
  const stop = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const chunk = await readWithin(idleTimeoutMs, reader, signal);
      signal.throwIfAborted();
      if (chunk.done) return;
      parser.feed(decoder.decode(chunk.value, { stream: true }));
      yield* messages.splice(0);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    await reader.cancel().catch(() => {});
  }
}

async function readWithin(
  timeoutMs: number,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof reader.read>>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    const error = new ConnectionError('timeout', `The service sent no data for ${timeoutMs} ms.`);
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (cause) {
    signal.throwIfAborted();
    throw cause instanceof ConnectionError ? cause : brokeOff(cause);
  } finally {
    clearTimeout(timer);
  }
}

/** Parses the JSON of an event. @throws ConnectionError `invalid_answer` */
export function fieldsOf({ data }: StreamMessage): Record<string, unknown> {
  const fields = parse(data);
  if (!isObject(fields)) throw new ConnectionError('invalid_answer', 'An event is not a JSON object.');
  return fields;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConnectionError('invalid_answer', 'An event is not JSON.', { cause });
  }
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
