import { Wakeup } from '../async/wakeup.ts';
import type { CallFeed } from '../cluster/call-feed.ts';
import type { CallRecord } from '../domain/call.ts';
import type { CallEvent } from '../domain/call-event.ts';
import { RequestError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { found } from './found.ts';

const pageSize = 200;
/** Events that nobody tells of are looked for so often. */
const pollMs = 1_000;
/** So long after its end a call may still be storing its last events. */
const settlingMs = 5_000;

interface Dependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  /** Who tells when something was stored; without one it is looked for. */
  readonly feed?: Pick<CallFeed, 'watch'> | undefined;
}

/**
 * The events of a call behind the one with the number `after`, as they are stored, until the one that tells its end. Nothing is read
 * ahead of what the reader takes, so that a slow one costs no memory.
 */
export async function* watchCall(
  deps: Dependencies,
  orgId: string,
  callId: string,
  options: { readonly after: number; readonly signal: AbortSignal },
): AsyncGenerator<CallEvent, void, void> {
  const { storage, clock, feed } = deps;
  const wakeup = new Wakeup(clock, options.signal);
  const stop = feed?.watch(callId, () => wakeup.wake());
  try {
    let after = options.after;
    while (!options.signal.aborted) {
      const call = found(await storage.calls.get(orgId, callId), 'call', callId);
      const events = await storage.callEvents.list(orgId, {
        where: { call_id: callId, seq: { gte: after + 1 } },
        limit: pageSize,
      });
      for (const event of events) {
        yield event;
        after = event.seq;
        if (isEnd(event)) return;
      }
      if (events.length === pageSize) continue;
      if (hasSettled(call, clock)) return;
      await wakeup.wait(pollMs);
    }
  } finally {
    stop?.();
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

function isEnd({ type, data }: CallEvent): boolean {
  return type === 'status' && (data.status === 'ended' || data.status === 'failed');
}

/** Reads the header `Last-Event-ID`; 0 without one. Throws `RequestError` 400. */
export function parseLastEventId(header: string | null): number {
  if (header === null || header === '') return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  throw new RequestError(400, 'invalid_field', 'Last-Event-ID: expected the id of an event of the call');
}
