import type { CallRecord } from '../../domain/calls/call.ts';
import type { CallEvent } from '../../domain/calls/call-event.ts';
import { RequestError } from '../../errors.ts';
import { requireFound } from '../../input/require-found.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { EventStreams } from '../event-streams/event-streams.ts';
import type { EventTail } from '../event-streams/event-tail.ts';

const pageSize = 200;
/** Interval at which a stream checks whether its call has ended. */
const checkMs = 5_000;
/** Time after its end in which a call may still store its last events. */
const settlingMs = 5_000;

interface CallEventsDependencies {
  readonly storage: Storage;
  readonly clock: Clock;
}

/**
 * Yields the events of a call with a sequence number above `after`, as they are stored, up to the event that reports
 * the end of the call. Reads nothing ahead, so that a slow reader costs no memory.
 */
export async function* watchCall(
  deps: CallEventsDependencies & { readonly streams: Pick<EventStreams, 'join'> },
  orgId: string,
  callId: string,
  options: { readonly after: number; readonly signal: AbortSignal },
): AsyncGenerator<CallEvent, void, void> {
  const { signal } = options;
  const tail = await deps.streams.join(orgId, signal);
  try {
    let { after } = options;
    while (!signal.aborted) {
      // Skips before reading, so that an event stored meanwhile is in the tail or in the read.
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

/** Returns one page of the stored events with a sequence number above `after`. `isOver`: no more will be stored. */
async function readStored(
  { storage, clock }: CallEventsDependencies,
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
 * Yields consecutive events of the call from the log. Returns at a gap, and at intervals, so that the caller reads the
 * storage: the call may have ended without an event.
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

/**
 * Returns true if no event follows the sequence number `after`: that event reported the end of the call, or the call
 * ended long enough ago.
 */
export async function isTold(
  { storage, clock }: CallEventsDependencies,
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

/** Returns true if the call has ended and no more events are expected. */
function hasSettled({ ended_at: endedAt }: CallRecord, clock: Clock): boolean {
  return endedAt !== null && Date.parse(endedAt) + settlingMs < clock.wallMs();
}

function isEnd(event: CallEvent): boolean {
  return event.type === 'status' && (event.data.status === 'ended' || event.data.status === 'failed');
}

/**
 * Parses the header `Last-Event-ID`; 0 without one.
 * @throws RequestError 400
 */
export function parseLastEventId(header: string | null): number {
  if (header === null || header === '') return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  throw new RequestError(400, 'invalid_field', 'Last-Event-ID: expected the id of an event of the call');
}
