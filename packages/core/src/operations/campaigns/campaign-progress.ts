import { Wakeup } from '../../async/wakeup.ts';
import type { CampaignPublisher } from '../../campaigns/status/campaign-publisher.ts';
import { type CampaignProgress, type CampaignRecord, toCampaignProgress } from '../../domain/campaigns/campaign.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Storage } from '../../ports/storage/storage.ts';

/** Polling interval for changes by other processes. */
const pollMs = 1_000;
/** Minimum interval between progress events. */
const shownMs = 1_000;

interface CampaignProgressDependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly campaignPublisher: Pick<CampaignPublisher, 'onChanged'>;
}

/**
 * Yields the progress of a campaign now and after each change, until the campaign is over or deleted. The record is
 * read on demand: a slow reader gets the latest progress and costs no memory.
 */
export async function* watchCampaign(
  { storage, clock, campaignPublisher }: CampaignProgressDependencies,
  orgId: string,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<CampaignProgress, void, void> {
  const changed = new Wakeup(clock, signal);
  const gone = new Wakeup(clock, signal);
  const stop = campaignPublisher.onChanged(id, () => changed.wake());
  try {
    let shown = '';
    while (!signal.aborted) {
      const record = await storage.campaigns.get(orgId, id);
      if (record === null || signal.aborted) return;
      const progress = toCampaignProgress(record);
      const text = JSON.stringify(progress);
      if (text === shown) {
        await changed.wait(pollMs);
        continue;
      }
      yield progress;
      if (isOver(record)) return;
      shown = text;
      await gone.wait(shownMs);
    }
  } finally {
    stop();
  }
}

/** Returns true if nothing changes any more: a cancelled campaign still has to end its calls and skip its leads. */
function isOver({ status, pending_leads: pending, calling_leads: calling }: CampaignRecord): boolean {
  return status === 'completed' || (status === 'cancelled' && pending === 0 && calling === 0);
}
