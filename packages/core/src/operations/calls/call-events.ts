import type { CallRecord } from '../../domain/calls/call.ts';
import type { CallEvent } from '../../domain/calls/call-event.ts';
import { RequestError } from '../../errors.ts';
import { requireFound } from '../../input/require-found.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { EventStreams } from '../event-streams/event-streams.ts';
import type { EventTail } from '../event-streams/event-tail.ts';

const pageSize = 200;
/** A stream asks the storage this often whether its call is over. */
const checkMs = 5_000;
/** So long after its end a call may still be storing its last events. */
const settlingMs = 5_000;

interface Dependencies {
  readonly storage: Storage;
  readonly clock: Clock;
}

/**
 * The events of a call behind the one with the number `after`, as they are stored, until the one that tells its end.
 * Nothing is read ahead of what the reader takes, so that a slow one costs no memory.
 */
export async function* watchCall(
  deps: Dependencies & { readonly streams: Pick<EventStreams, 'join'> },
  orgId: string,
  callId: string,
  options: { readonly after: number; readonly signal: AbortSignal },
): AsyncGenerator<CallEvent, void, void> {
  const { signal } = options;
  const tail = await deps.streams.join(orgId, signal);
  try {
    let { after } = options;
    while (!signal.aborted) {
      // In this order, so that what is stored meanwhile is found in one of the two.
      tail.skip();
      const stored = await readStored(deps, orgId, callId, after);
      for (const event of stored.events) {
        yield event;
        after = event.seq;
        if (isEnd(event)) return;
      }
      if (stored.isMore) continue;
      if (stored.isOver) return;
      for await (const event of following(deps.clock, tail, callId, after, signal)) {
        yield event;
        after = event.seq;
        if (isEnd(event)) return;
      }
    }
  } finally {
    tail.leave();
  }
}

/** What the storage has behind the event with that number. */
async function readStored(
  { storage, clock }: Dependencies,
  orgId: string,
  callId: string,
  after: number,
): Promise<{ readonly events: readonly CallEvent[]; readonly isMore: boolean; readonly isOver: boolean }> {
  const call = requireFound(await storage.calls.get(orgId, callId), 'call', callId);
  const events = await storage.callEvents.list(orgId, {
    where: { call_id: callId, seq: { gte: after + 1 } },
    limit: pageSize,
  });
  return { events, isMore: events.length === pageSize, isOver: hasSettled(call, clock) };
}

/**
 * The events of the call that come through the log, one after another. Ends where one is missing, and now and then, so
 * that the storage is read: the call may be over without an event that tells so.
 */
async function* following(
  clock: Clock,
  tail: EventTail,
  callId: string,
  lastSeq: number,
  signal: AbortSignal,
): AsyncGenerator<CallEvent, void, void> {
  const untilMs = clock.nowMs() + checkMs;
  let after = lastSeq;
  while (!signal.aborted && clock.nowMs() < untilMs) {
    const events = tail.take();
    if (events === null) return;
    for (const event of events) {
      if (event.call_id !== callId || event.seq <= after) continue;
      if (event.seq !== after + 1) return;
      yield event;
      after = event.seq;
    }
    if (events.length === 0) await tail.wait(untilMs - clock.nowMs());
  }
}

/** Whether nothing comes behind the event with that number: it has told the end, or the end was a while ago. */
export async function isTold(
  { storage, clock }: Dependencies,
  orgId: string,
  call: CallRecord,
  after: number,
): Promise<boolean> {
  if (call.ended_at === null) return false;
  const where = { call_id: call.id, seq: { gte: after } };
  const [last, next] = await storage.callEvents.list(orgId, { where, limit: 2 });
  if (next !== undefined || (last !== undefined && last.seq > after)) return false;
  return hasSettled(call, clock) || (last !== undefined && isEnd(last));
}

/** Whether a call is over, and no more events of it are to be expected. */
function hasSettled({ ended_at: endedAt }: CallRecord, clock: Clock): boolean {
  return endedAt !== null && Date.parse(endedAt) + settlingMs < clock.wallMs();
}

function isEnd(event: CallEvent): boolean {
  return event.type === 'status' && (event.data.status === 'ended' || event.data.status === 'failed');
}

/** Reads the header `Last-Event-ID`; 0 without one. Throws `RequestError` 400. */
export function parseLastEventId(header: string | null): number {
  if (header === null || header === '') return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  throw new RequestError(400, 'invalid_field', 'Last-Event-ID: expected the id of an event of the call');
}
