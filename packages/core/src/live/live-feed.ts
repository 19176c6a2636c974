import { type LiveEvent, liveEventSchema } from '../domain/calls/live-event.ts';
import { toError } from '../errors.ts';
import { isUuid } from '../ids.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Cluster } from '../ports/cluster.ts';
import type { Logger } from '../ports/logger.ts';
import { EventBatch, type OwnedEvent } from './event-batch.ts';
import { LiveTail } from './live-tail.ts';

/** Topics of the cluster. `watched`: a node watches the calls of an organization. `event`: a live event of a call. */
export const liveTopics = { watched: 'live-watched', event: 'live' } as const;

/** Interval at which a process repeats that it watches an organization. */
const repeatMs = 10_000;
/** Time after the last announcement at which an organization counts as not watched by other processes. */
const forgottenMs = 25_000;
/** Interval within which events are published together; longer for `levels`, which change all the time. */
const gatherMs = 100;
const gatherLevelsMs = 1_000;
/** Maximum characters of a published `content`, which is cut, because notifications of databases are limited. */
const maxContent = 1_500;
const maxWatchedElsewhere = 10_000;

export interface LiveFeedOptions {
  readonly cluster: Cluster | null;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Id of this process in the cluster. */
  readonly nodeId: () => string;
  readonly isAlone: () => boolean;
}

/** Returns events with the current state of a call, for a reader that joins. */
export type LiveSnapshot = () => readonly LiveEvent[];

/**
 * Passes live events of calls to their readers, in this process and in others. Nothing is stored, and no events are
 * created while there is no reader.
 */
export class LiveFeed {
  readonly #options: LiveFeedOptions;
  readonly #tails = new Map<string, Set<LiveTail>>();
  readonly #calls = new Map<string, Map<string, LiveSnapshot>>();
  /** Organizations that other processes watch, with the time until which that holds without a repetition. */
  readonly #elsewhere = new Map<string, number>();
  readonly #moments: EventBatch;
  readonly #levels: EventBatch;
  #repeating: Timer | null = null;

  constructor(options: LiveFeedOptions) {
    this.#options = options;
    const { clock } = options;
    this.#moments = new EventBatch(clock, gatherMs, (events) => this.#publishAll(events));
    this.#levels = new EventBatch(clock, gatherLevelsMs, (events) => this.#publishAll(events));
  }

  /** Returns true if a reader in any process watches calls of the organization. */
  isWatched(orgId: string): boolean {
    return this.#tails.has(orgId) || this.#isWatchedElsewhere(orgId);
  }

  /** Registers a call for the snapshots of joining readers, until the returned function is called. */
  register(orgId: string, callId: string, snapshot: LiveSnapshot): () => void {
    const calls = this.#calls.get(orgId) ?? new Map<string, LiveSnapshot>();
    this.#calls.set(orgId, calls);
    calls.set(callId, snapshot);
    return () => {
      calls.delete(callId);
      if (calls.size === 0 && this.#calls.get(orgId) === calls) this.#calls.delete(orgId);
    };
  }

  publish(orgId: string, event: LiveEvent): void {
    this.#tell(orgId, event);
    if (this.#isWatchedElsewhere(orgId)) this.#publishLater(orgId, event);
  }

  /** Joins the events of an organization's calls, or of one call, beginning with their current state. */
  join(orgId: string, callId: string | null, signal: AbortSignal): LiveTail {
    const tail = new LiveTail(this.#options.clock, callId, signal);
    const tails = this.#tails.get(orgId) ?? new Set<LiveTail>();
    this.#tails.set(orgId, tails);
    tails.add(tail);
    signal.addEventListener('abort', () => this.#leave(orgId, tails, tail), { once: true });
    for (const event of this.#present(orgId)) tail.add(event);
    this.#announce([orgId]);
    this.#repeating ??= this.#options.clock.setTimer(repeatMs, () => this.#repeat());
    if (signal.aborted) this.#leave(orgId, tails, tail);
    return tail;
  }

  /** Handles a message of any process, this one included. */
  heard(topic: string, id: string): void {
    if (topic === liveTopics.watched) this.#heardWatcher(id);
    else this.#heardEvent(id);
  }

  close(): void {
    this.#repeating?.cancel();
    this.#repeating = null;
    this.#moments.close();
    this.#levels.close();
  }

  #leave(orgId: string, tails: Set<LiveTail>, tail: LiveTail): void {
    tails.delete(tail);
    if (tails.size === 0 && this.#tails.get(orgId) === tails) this.#tails.delete(orgId);
  }

  #tell(orgId: string, event: LiveEvent): void {
    for (const tail of this.#tails.get(orgId) ?? []) tail.add(event);
  }

  #present(orgId: string): readonly LiveEvent[] {
    return [...(this.#calls.get(orgId)?.values() ?? [])].flatMap((snapshot) => snapshot());
  }

  #isWatchedElsewhere(orgId: string): boolean {
    const untilMs = this.#elsewhere.get(orgId);
    if (untilMs === undefined) return false;
    if (untilMs > this.#options.clock.nowMs()) return true;
    this.#elsewhere.delete(orgId);
    return false;
  }

  #announce(orgIds: readonly string[]): void {
    const { cluster, isAlone, nodeId } = this.#options;
    if (cluster === null || isAlone() || orgIds.length === 0) return;
    const from = nodeId();
    this.#publish(
      cluster,
      liveTopics.watched,
      orgIds.map((orgId) => `${from}/${orgId}`),
    );
  }

  #repeat(): void {
    this.#repeating = null;
    if (this.#tails.size === 0) return;
    this.#announce([...this.#tails.keys()]);
    this.#repeating = this.#options.clock.setTimer(repeatMs, () => this.#repeat());
  }

  /** Handles the announcement of a watching process; ignored if it is this one, whose readers get events directly. */
  #heardWatcher(id: string): void {
    const [from, orgId = ''] = id.split('/');
    if (from === this.#options.nodeId() || !isUuid(orgId)) return;
    if (this.#elsewhere.size >= maxWatchedElsewhere && !this.#elsewhere.has(orgId)) return;
    const isNew = !this.#isWatchedElsewhere(orgId);
    this.#elsewhere.set(orgId, this.#options.clock.nowMs() + forgottenMs);
    if (isNew) for (const event of this.#present(orgId)) this.#publishLater(orgId, event);
  }

  #heardEvent(id: string): void {
    const at = id.indexOf('/');
    const orgId = id.slice(0, at);
    const tails = this.#tails.get(orgId);
    if (tails === undefined) return;
    const event = decode(id.slice(at + 1));
    // Readers of this process have the events of its own calls already.
    if (event !== null && this.#calls.get(orgId)?.has(event.call_id) !== true) this.#tell(orgId, event);
  }

  #publishLater(orgId: string, event: LiveEvent): void {
    (event.type === 'levels' ? this.#levels : this.#moments).add(orgId, event);
  }

  #publishAll(events: readonly OwnedEvent[]): void {
    const { cluster } = this.#options;
    const ids = events.map(({ orgId, event }) => `${orgId}/${encode(event)}`);
    if (cluster !== null) this.#publish(cluster, liveTopics.event, ids);
  }

  #publish(cluster: Cluster, topic: string, ids: readonly string[]): void {
    cluster.publish(topic, ids).catch((thrown: unknown) => {
      this.#options.logger.debug({ err: toError(thrown) }, 'failed to publish live events to other nodes');
    });
  }
}

function encode(event: LiveEvent): string {
  const cut = 'content' in event ? { ...event, content: event.content.slice(0, maxContent) } : event;
  return Buffer.from(JSON.stringify(cut)).toString('base64url');
}

function decode(text: string): LiveEvent | null {
  try {
    return liveEventSchema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data ?? null;
  } catch {
    return null;
  }
}
