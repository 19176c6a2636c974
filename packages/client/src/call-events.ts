import type { CallEvent as StoredCallEvent } from '@va/core';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ApiError, ConnectionError, isObject } from './errors.ts';
import { backoff } from './retry-policy.ts';
import { type ApiRequest, brokeOff, type Transport } from './transport.ts';

/** Something that happened in a call. */
export interface CallEvent {
  /** What `lastEventId` resumes behind. */
  readonly id: string;
  readonly type: StoredCallEvent['type'] | (string & {});
  readonly call_id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** What there is to tell of an event of this type, such as `role` and `content` of a `transcript`. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface WatchOptions {
  readonly signal?: AbortSignal | undefined;
  /** Begins behind this event; at the start of the call by default. */
  readonly lastEventId?: string | undefined;
  /** How often in a row the connection may break without an event between; 10 by default. */
  readonly maxReconnects?: number | undefined;
  /** A connection that is silent for so long is taken for broken. The service sends something every 15 s; 45,000 by default. */
  readonly idleTimeoutMs?: number | undefined;
}

/** Between attempts to connect again. */
const maxBackoffMs = 10_000;

/** So many events are remembered as given. */
const maxRemembered = 10_000;

/** The events of a call until its end, over as many connections as that takes. */
export async function* watchCall(
  transport: Transport,
  request: ApiRequest,
  options: WatchOptions = {},
): AsyncGenerator<CallEvent, void, void> {
  for await (const event of watch(transport, request, options, true)) {
    yield event;
    if (isEnd(event)) return;
  }
}

/** The events of all calls, each once, over as many connections as there are until the signal says to stop. */
export async function* watchCalls(
  transport: Transport,
  request: ApiRequest,
  options: WatchOptions = {},
): AsyncGenerator<CallEvent, void, void> {
  const given = new Set<string>();
  for await (const event of watch(transport, request, options, false)) {
    if (given.has(event.id)) continue;
    given.add(event.id);
    const [oldest] = given;
    if (given.size > maxRemembered && oldest !== undefined) given.delete(oldest);
    yield event;
  }
}

/** @param ends whether there is nothing more to come where a connection ends without an event */
async function* watch(
  transport: Transport,
  request: ApiRequest,
  options: WatchOptions,
  ends: boolean,
): AsyncGenerator<CallEvent, void, void> {
  const { signal = new AbortController().signal, maxReconnects = 10, idleTimeoutMs = 45_000 } = options;
  let { lastEventId } = options;
  let hasConnected = false;
  let breaks = 0;
  for (;;) {
    const resume: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const headers = { accept: 'text/event-stream', ...resume };
    let broken: unknown = null;
    try {
      // Once there was a connection, this loop is who tries again.
      const retry = hasConnected ? { limit: 0 } : {};
      const response = await transport.open({ ...request, headers }, { signal }, retry);
      hasConnected = true;
      // One without an end is cut off now and then, whether or not there was something to tell.
      if (!ends) breaks = 0;
      let hasCome = false;
      for await (const message of readMessages(response, idleTimeoutMs, signal)) {
        hasCome = true;
        breaks = 0;
        lastEventId = message.id ?? lastEventId;
        yield toCallEvent(message);
      }
      // The service ends a stream early when it shuts down; where there is nothing more to tell, the call is over.
      if (!hasCome && ends) return;
    } catch (error) {
      signal.throwIfAborted();
      if (!hasConnected || !mayPass(error)) throw error;
      broken = error;
    }
    breaks += 1;
    if (breaks > maxReconnects) throw broken ?? brokeOff(null);
    const askedMs = broken instanceof ApiError ? broken.retryAfterMs : null;
    await delay(Math.min(maxBackoffMs, askedMs ?? backoff(transport.retry.backoffMs, breaks)), signal);
  }
}

function isEnd({ type, data }: CallEvent): boolean {
  return type === 'status' && (data.status === 'ended' || data.status === 'failed');
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
): AsyncGenerator<EventSourceMessage, void, void> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  try {
    for (;;) {
      const chunk = await readWithin(idleTimeoutMs, reader, signal);
      if (chunk.done) return;
      parser.feed(decoder.decode(chunk.value, { stream: true }));
      yield* messages.splice(0);
    }
  } finally {
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
    const error = new ConnectionError('timeout', `Nothing came from the service for ${timeoutMs} ms.`);
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

function toCallEvent({ id = '', event, data }: EventSourceMessage): CallEvent {
  const fields = parse(data);
  if (!isObject(fields)) throw new ConnectionError('invalid_answer', 'An event of the call is not a JSON object.');
  const { type = event, call_id, at, ...rest } = fields;
  return { id, type: String(type), call_id: String(call_id), at: String(at), data: rest };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConnectionError('invalid_answer', 'An event of the call is not JSON.', { cause });
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
