import type { CallEvent as StoredCallEvent } from '@va/core';
import { fieldsOf, type StreamMessage, type WatchOptions, watchMessages } from './event-source.ts';
import type { ApiRequest, Transport } from './transport.ts';

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

/** So many events are remembered as given. */
const maxRemembered = 10_000;

/** The events of a call until its end, over as many connections as that takes. */
export async function* watchCall(
  transport: Transport,
  request: ApiRequest,
  options: WatchOptions = {},
): AsyncGenerator<CallEvent, void, void> {
  for await (const message of watchMessages(transport, request, options, true)) {
    const event = toCallEvent(message);
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
  for await (const message of watchMessages(transport, request, options, false)) {
    const event = toCallEvent(message);
    if (given.has(event.id)) continue;
    given.add(event.id);
    const [oldest] = given;
    if (given.size > maxRemembered && oldest !== undefined) given.delete(oldest);
    yield event;
  }
}

function isEnd({ type, data }: CallEvent): boolean {
  return type === 'status' && (data.status === 'ended' || data.status === 'failed');
}

function toCallEvent(message: StreamMessage): CallEvent {
  const { type = message.event, call_id, at, ...rest } = fieldsOf(message);
  return { id: message.id ?? '', type: String(type), call_id: String(call_id), at: String(at), data: rest };
}
