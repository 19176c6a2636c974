import type { CampaignProgress } from './records.ts';
import { ConnectionError, isObject } from './request/errors.ts';
import { fieldsOf, type WatchOptions, watchMessages } from './request/event-source.ts';
import type { ApiRequest, Transport } from './request/transport.ts';

/** Options of `client.campaigns.events`. There is no `lastEventId`, because only the present progress is sent. */
export interface CampaignWatchOptions extends Omit<WatchOptions, 'lastEventId'> {}

/** Yields the progress of a campaign on each change until it is over. Reconnects after a broken connection. */
export async function* watchCampaign(
  transport: Transport,
  request: ApiRequest,
  options: CampaignWatchOptions = {},
): AsyncGenerator<CampaignProgress, void, void> {
  let last = '';
  for await (const message of watchMessages(transport, request, options, false)) {
    // A new connection repeats the present progress.
    if (message.data === last) continue;
    last = message.data;
    const progress: unknown = fieldsOf(message);
    if (!isProgress(progress))
      throw new ConnectionError('invalid_answer', 'Received an event that is not the progress of a campaign.');
    yield progress;
    if (isOver(progress)) return;
  }
}

function isOver({ status, pending_leads: pending, calling_leads: calling }: CampaignProgress): boolean {
  return status === 'completed' || (status === 'cancelled' && pending === 0 && calling === 0);
}

/** Checks the fields that this file uses. */
function isProgress(value: unknown): value is CampaignProgress {
  if (!isObject(value)) return false;
  const { status, pending_leads: pending, calling_leads: calling } = value;
  return typeof status === 'string' && typeof pending === 'number' && typeof calling === 'number';
}
