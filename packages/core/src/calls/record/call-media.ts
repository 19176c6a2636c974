import { within } from '../../async/within.ts';
import type { CallMedia } from '../../domain/calls/call.ts';
import { toError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { MediaStatistics } from '../../ports/media/media-statistics.ts';
import type { MediaLeg } from '../../ports/telephony.ts';

/** Maximum time that the record of a call waits for the statistics of its leg. */
const timeoutMs = 1_000;

/** Returns the media statistics of a call's record; null if the leg has none. Never rejects. */
export async function readCallMedia(
  leg: MediaLeg | null,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Promise<CallMedia | null> {
  if (leg?.statistics === undefined) return null;
  try {
    const statistics = await within(timeoutMs, clock, leg.statistics());
    return statistics === null ? null : toCallMedia(statistics);
  } catch (thrown) {
    logger.error({ err: toError(thrown) }, 'failed to read the media statistics of a call');
    return null;
  }
}

function toCallMedia({ received, sent, roundTripMs }: MediaStatistics): CallMedia {
  return {
    received: {
      packets: received.packets,
      packets_lost: received.packetsLost,
      packets_dropped: received.packetsDropped,
      jitter_ms: tenths(received.jitterMs),
    },
    sent: {
      packets: sent.packets,
      packets_lost: sent.packetsLost,
      jitter_ms: sent.jitterMs === null ? null : tenths(sent.jitterMs),
    },
    round_trip_ms: roundTripMs === null ? null : tenths(roundTripMs),
  };
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
