import type { LiveEvent } from '@va/core';
import { fieldsOf, type WatchOptions, watchMessages } from './request/event-source.ts';
import type { ApiRequest, Transport } from './request/transport.ts';

/** Options of `client.calls.live`. There is no `lastEventId`, because live events are not stored. */
export interface LiveOptions extends Omit<WatchOptions, 'lastEventId'> {}

/** Yields the unvalidated events of live calls, reconnecting until the signal aborts. */
export async function* watchLive(
  transport: Transport,
  request: ApiRequest,
  options: LiveOptions = {},
): AsyncGenerator<LiveEvent, void, void> {
  for await (const message of watchMessages(transport, request, options, false)) {
    yield fieldsOf(message) as unknown as LiveEvent;
  }
}
