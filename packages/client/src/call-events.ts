import type { CallEventData, CallEventType } from '@va/core';
import { ConnectionError } from './request/errors.ts';
import { fieldsOf, type StreamMessage, type WatchOptions, watchMessages } from './request/event-source.ts';
import type { ApiRequest, Transport } from './request/transport.ts';

/**
 * An event of a call; `type` determines the fields of `data`. The data is not validated here, and later versions of the
 * service may send other types.
 * @example if (event.type === 'transcript') console.log(event.data.role, event.data.content);
 */
export type CallEvent = { [Type in CallEventType]: CallEventOf<Type> }[CallEventType];

interface CallEventOf<Type extends CallEventType> {
  /** Pass it as `lastEventId` to resume after this event. */
  readonly id: string;
  readonly type: Type;
  readonly call_id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly data: Readonly<CallEventData[Type]>;
}

/** Number of event ids kept for de-duplication. */
const maxRemembered = 10_000;

/** Yields the events of a call until its end. Reconnects after a broken connection. */
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

/** Yields the events of all calls, each once, reconnecting until the signal aborts. */
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

function isEnd(event: CallEvent): boolean {
  return event.type === 'status' && (event.data.status === 'ended' || event.data.status === 'failed');
}

function toCallEvent(message: StreamMessage): CallEvent {
  const { type = message.event, call_id, at, ...data } = fieldsOf(message);
  const event = { id: message.id ?? '', type, call_id, at, data };
  if (!isCallEvent(event)) throw new ConnectionError('invalid_answer', 'Received an event that is not a call event.');
  return event;
}

/** Checks the fields that every event has; `data` is not validated. */
function isCallEvent(event: Readonly<Record<keyof CallEvent, unknown>>): event is CallEvent {
  return [event.type, event.call_id, event.at].every((text) => typeof text === 'string');
}
