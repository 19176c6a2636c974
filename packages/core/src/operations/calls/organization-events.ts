import type { CallEvent } from '../../domain/calls/call-event.ts';
import { RequestError } from '../../errors.ts';
import { isUuid } from '../../ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { eventPages, lateMs } from '../event-streams/event-pages.ts';
import type { EventStreams } from '../event-streams/event-streams.ts';
import { RecentEvents } from '../event-streams/recent-events.ts';

/** Interval at which an idle stream checks its signal. */
const idleMs = 60_000;

interface OrganizationEventsDependencies {
  readonly storage: Pick<Storage, 'callEvents'>;
  readonly clock: Clock;
  readonly streams: Pick<EventStreams, 'join'>;
}

/**
 * Yields the events of all calls of an organization as they are stored, from now on or from `lastEventId`, until the
 * signal aborts: ordered within each call, and approximately by time across calls. At least once: some events before
 * `lastEventId` are repeated with the same ids. Reads nothing ahead for a slow reader.
 */
export async function* watchOrganization(
  { storage, clock, streams }: OrganizationEventsDependencies,
  orgId: string,
  { lastEventId, signal }: { readonly lastEventId: string | null; readonly signal: AbortSignal },
): AsyncGenerator<CallEvent, void, void> {
  const seen = new RecentEvents(lastEventId === null ? clock.wallMs() : timeOf(lastEventId));
  const tail = await streams.join(orgId, signal);
  try {
    let isBehind = lastEventId !== null;
    while (!signal.aborted) {
      if (isBehind) {
        // Skips before reading, so that an event stored meanwhile is in the tail or in a page.
        tail.skip();
        for await (const page of eventPages(storage, orgId, seen.newestMs - lateMs, signal)) {
          for (const event of page) if (seen.add(event)) yield event;
        }
      }
      const events = tail.take();
      isBehind = events === null;
      for (const event of events ?? []) if (seen.add(event)) yield event;
      if (events?.length === 0) await tail.wait(idleMs);
    }
  } finally {
    tail.leave();
  }
}

/**
 * Parses the header `Last-Event-ID`; null without one.
 * @throws RequestError 400
 */
export function parseLastEventUuid(header: string | null): string | null {
  if (header === null || header === '') return null;
  if (isUuid(header)) return header.toLowerCase();
  throw new RequestError(400, 'invalid_field', 'Last-Event-ID: expected the id of an event');
}

/** Returns the creation time contained in an event's id. @see RFC 9562 §5.7 */
function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
