import { Wakeup } from '../async/wakeup.ts';
import type { CallFeed } from '../cluster/call-feed.ts';
import type { CallEvent } from '../domain/call-event.ts';
import { RequestError } from '../errors.ts';
import { isUuid } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Storage } from '../ports/storage/storage.ts';

const pageSize = 500;
/** Events that nobody tells of are looked for so often. */
const pollMs = 1_000;
/** What comes in so short a time is read together. */
const gatherMs = 100;
/** An event may be stored so much later than one that bears a later time: another process stores it, by another clock. */
const lateMs = 15_000;
/** Most are later by less: only now and then is it looked for all of them. */
const oftenLateMs = 1_000;
const lookFarEveryMs = 5_000;

const lowestId = '00000000-0000-0000-0000-000000000000';

interface Dependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  /** Who tells when something was stored; without one it is looked for. */
  readonly feed?: Pick<CallFeed, 'watch'> | undefined;
}

/**
 * The events of all calls of an organization as they are stored, from now on, or from `lastEventId`, until the signal says to stop: in
 * the order of each call, and across calls about in the order of time. Each event comes at least once: some that were there before
 * `lastEventId` come again, with the ids that they had. Nothing is read ahead of what the reader takes.
 */
export async function* watchOrganization(
  deps: Dependencies,
  orgId: string,
  options: { readonly lastEventId: string | null; readonly signal: AbortSignal },
): AsyncGenerator<CallEvent, void, void> {
  const { clock, feed } = deps;
  const { lastEventId, signal } = options;
  const wakeup = new Wakeup(clock, signal);
  const stop = feed?.watch(orgId, () => wakeup.wake());
  const reader = new Reader(deps, orgId, lastEventId);
  try {
    while (!signal.aborted) {
      yield* reader.read(signal);
      await wakeup.wait(pollMs);
      if (!signal.aborted) await new Promise<void>((resolve) => void clock.setTimer(gatherMs, resolve));
    }
  } finally {
    stop?.();
  }
}

/** Reads the events of an organization behind those it has read, and those that were stored among these meanwhile. */
class Reader {
  readonly #deps: Dependencies;
  readonly #orgId: string;
  /** Those that were read and may be met again, with their times. */
  readonly #seen = new Map<string, number>();
  readonly #beganMs: number;
  /** Nothing has been read yet, and what is there already is not to be told. */
  #isBeginning: boolean;
  #newestMs: number;
  #lookedFarMs: number;

  constructor(deps: Dependencies, orgId: string, lastEventId: string | null) {
    this.#deps = deps;
    this.#orgId = orgId;
    this.#isBeginning = lastEventId === null;
    this.#newestMs = lastEventId === null ? deps.clock.wallMs() : timeOf(lastEventId);
    // By the clock of another process, what is stored from now on may be from before.
    this.#beganMs = this.#newestMs - lateMs;
    this.#lookedFarMs = Number.NEGATIVE_INFINITY;
  }

  async *read(signal: AbortSignal): AsyncGenerator<CallEvent, void, void> {
    const { storage, clock } = this.#deps;
    const isFar = clock.nowMs() - this.#lookedFarMs >= lookFarEveryMs;
    if (isFar) this.#lookedFarMs = clock.nowMs();
    const fromMs = Math.max(this.#beganMs, this.#newestMs - (isFar ? lateMs : oftenLateMs));
    let after = { created_at: new Date(fromMs - 1).toISOString(), id: lowestId };
    while (!signal.aborted) {
      const page = await storage.callEvents.list(this.#orgId, { after, order: 'oldest', limit: pageSize });
      for (const event of page) {
        if (this.#seen.has(event.id)) continue;
        if (!this.#isBeginning) yield event;
        const atMs = Date.parse(event.created_at);
        this.#seen.set(event.id, atMs);
        this.#newestMs = Math.max(this.#newestMs, atMs);
      }
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) break;
      after = { created_at: last.created_at, id: last.id };
    }
    this.#isBeginning = false;
    if (isFar) this.#forget();
  }

  /** What is too old to be met again. */
  #forget(): void {
    for (const [id, atMs] of this.#seen) if (atMs < this.#newestMs - 2 * lateMs) this.#seen.delete(id);
  }
}

/** Reads the header `Last-Event-ID`; null without one. Throws `RequestError` 400. */
export function parseLastEventUuid(header: string | null): string | null {
  if (header === null || header === '') return null;
  if (isUuid(header)) return header.toLowerCase();
  throw new RequestError(400, 'invalid_field', 'Last-Event-ID: expected the id of an event');
}

/** When the event came to be, which its id tells. @see RFC 9562 §5.7 */
function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
