import type { CampaignProgress } from './records.ts';
import { ConnectionError, isObject } from './request/errors.ts';
import { fieldsOf, type WatchOptions, watchMessages } from './request/event-source.ts';
import type { ApiRequest, Transport } from './request/transport.ts';

export interface CampaignWatchOptions extends Omit<WatchOptions, 'lastEventId'> {}

/** How far a campaign is, each time that this changes until all is over, over as many connections as that takes. */
export async function* watchCampaign(
  transport: Transport,
  request: ApiRequest,
  options: CampaignWatchOptions = {},
): AsyncGenerator<CampaignProgress, void, void> {
  let last = '';
  for await (const message of watchMessages(transport, request, options, false)) {
    // Each connection begins with what is.
    if (message.data === last) continue;
    last = message.data;
    const progress: unknown = fieldsOf(message);
    if (!isProgress(progress)) throw new ConnectionError('invalid_answer', 'An event is no progress of a campaign.');
    yield progress;
    if (isOver(progress)) return;
  }
}

function isOver({ status, pending_leads: pending, calling_leads: calling }: CampaignProgress): boolean {
  return status === 'completed' || (status === 'cancelled' && pending === 0 && calling === 0);
}

/** Has what is needed here; of the rest we have the service's word. */
function isProgress(value: unknown): value is CampaignProgress {
  if (!isObject(value)) return false;
  const { status, pending_leads: pending, calling_leads: calling } = value;
  return typeof status === 'string' && typeof pending === 'number' && typeof calling === 'number';
}
