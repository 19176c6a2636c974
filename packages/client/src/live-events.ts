import type { LiveEvent } from '@va/core';
import { fieldsOf, type WatchOptions, watchMessages } from './request/event-source.ts';
import type { ApiRequest, Transport } from './request/transport.ts';

/** Reconnects without a last event: the moments in between are over. */
export interface LiveOptions extends Omit<WatchOptions, 'lastEventId'> {}

/** Yields the moments of live calls, reconnecting until the signal aborts. The fields are not validated here. */
export async function* watchLive(
  transport: Transport,
  request: ApiRequest,
  options: LiveOptions = {},
): AsyncGenerator<LiveEvent, void, void> {
  for await (const message of watchMessages(transport, request, options, false)) {
    yield fieldsOf(message) as unknown as LiveEvent;
  }
}
