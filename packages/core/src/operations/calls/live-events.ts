import { pause } from '../../async/pause.ts';
import type { LiveEvent } from '../../domain/calls/live-event.ts';
import type { LiveFeed } from '../../live/live-feed.ts';
import type { Clock } from '../../ports/clock.ts';

/**
 * Minimum interval between deliveries to a reader of one call, and to a reader of all calls. Of changes in between, the
 * reader gets the last state.
 */
const paceMs = { one: 100, all: 200 } as const;
/** Interval at which an idle stream checks its signal. */
const idleMs = 60_000;

/** Yields the live events of an organization's calls, or of one call, until the signal aborts. */
export async function* watchLive(
  { live, clock }: { readonly live: Pick<LiveFeed, 'join'>; readonly clock: Clock },
  orgId: string,
  { callId, signal }: { readonly callId: string | null; readonly signal: AbortSignal },
): AsyncGenerator<LiveEvent, void, void> {
  const leaving = new AbortController();
  const restMs = callId === null ? paceMs.all : paceMs.one;
  const tail = live.join(orgId, callId, AbortSignal.any([signal, leaving.signal]));
  try {
    while (!signal.aborted) {
      for (const event of tail.take()) yield event;
      await tail.wait(idleMs);
      if (!signal.aborted) await pause(restMs, clock, signal);
    }
  } finally {
    leaving.abort();
  }
}
