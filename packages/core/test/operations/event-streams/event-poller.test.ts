import { memory } from '@va/storage/memory';
import { VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FeedWatcher } from '../../../src/cluster/call-feed.ts';
import type { CallEvent } from '../../../src/domain/calls/call-event.ts';
import { EventPoller, type EventPollerOptions } from '../../../src/operations/event-streams/event-poller.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { recordId } from '../../support/sample-records.ts';
import { organizationOf, orgId, otherOrgId } from '../support.ts';

let clock: VirtualClock;
let storage: Storage;
let reads: number;
let failure: Error | null;
let pollers: EventPoller[];

beforeEach(async () => {
  clock = new VirtualClock();
  storage = memory();
  reads = 0;
  failure = null;
  pollers = [];
  for (const id of [orgId, otherOrgId]) await storage.organizations.insert(id, organizationOf(id, clock));
});

afterEach(() => {
  for (const poller of pollers) poller.stop();
});

function eventOf(n: number, agoMs = 0): CallEvent {
  return {
    id: recordId('b', n),
    call_id: recordId('7'),
    seq: n,
    type: 'dtmf',
    data: { digit: '1', durationMs: 100 },
    created_at: new Date(clock.wallMs() - agoMs).toISOString(),
  };
}

const store = (n: number, agoMs = 0, owner = orgId): Promise<unknown> =>
  storage.callEvents.insertMany(owner, [eventOf(n, agoMs)]);

/** Follows the events of the organization. */
async function follow(feed?: { readonly isAlone: boolean }) {
  const seen: number[] = [];
  const errors: string[] = [];
  let watcher: FeedWatcher | null = null;
  const { callEvents } = storage;
  const options: EventPollerOptions = {
    storage: {
      callEvents: {
        ...callEvents,
        list: async (...query) => {
          reads += 1;
          if (failure !== null) throw failure;
          return await callEvents.list(...query);
        },
      },
    },
    clock,
    orgId,
    onEvents: (events) => void seen.push(...events.map(({ seq }) => seq)),
    onError: (error) => void errors.push(error.message),
    ...(feed && {
      feed: {
        isAlone: feed.isAlone,
        watch: (_orgId: string, given: FeedWatcher) => {
          watcher = given;
          return () => {
            watcher = null;
          };
        },
      },
    }),
  };
  const poller = new EventPoller(options);
  pollers.push(poller);
  await poller.ready;
  await clock.advance(0);
  return { poller, seen, errors, watcher: (): FeedWatcher | null => watcher };
}

describe('EventPoller', () => {
  it('reports what is stored after it has begun, once a second', async () => {
    await store(1);
    const { seen } = await follow();
    await store(2);
    await clock.advance(500);
    expect(seen).toEqual([]);
    await clock.advance(600);
    await store(3);
    await clock.advance(1_100);
    expect(seen).toEqual([2, 3]);
  });

  it('reports an event once, and none of another organization', async () => {
    const { seen } = await follow();
    await store(2);
    await store(3, 0, otherOrgId);
    await clock.advance(5_000);
    expect(seen).toEqual([2]);
  });

  it('finds events of nodes whose clock is behind', async () => {
    const { seen } = await follow();
    await clock.advance(1_100);
    await store(2, 900);
    await clock.advance(1_100);
    expect(seen).toEqual([2]);
    await store(3, 14_000);
    await clock.advance(6_000);
    expect(seen).toEqual([2, 3]);
  });

  it('reads nothing after it was stopped', async () => {
    const { poller, seen, errors } = await follow();
    poller.stop();
    await clock.advance(0);
    const before = reads;
    await store(2);
    await clock.advance(10_000);
    expect([reads - before, seen, errors]).toEqual([0, [], []]);
  });

  it('stops at a failure of the storage, and reports it', async () => {
    const { errors } = await follow();
    failure = new Error('the database is down');
    await clock.advance(1_100);
    const before = reads;
    await clock.advance(10_000);
    expect([errors, reads - before]).toEqual([['the database is down'], 0]);
  });

  it('is not ready if the first read fails', async () => {
    failure = new Error('the database is down');
    await expect(follow()).rejects.toThrow('the database is down');
  });
});

describe('an EventPoller with a feed', () => {
  it('reports the events of its own process without reading', async () => {
    const { seen, watcher } = await follow({ isAlone: true });
    const before = reads;
    watcher()?.stored([eventOf(2), eventOf(3)]);
    await clock.advance(100);
    await clock.advance(5_000);
    expect([seen, reads - before]).toEqual([[2, 3], 0]);
  });

  it('reads at the notification of another process', async () => {
    const { seen, watcher } = await follow({ isAlone: false });
    await store(2);
    watcher()?.changed();
    await clock.advance(100);
    expect(seen).toEqual([2]);
  });

  it('reports an event once that comes both ways', async () => {
    const { seen, watcher } = await follow({ isAlone: false });
    await store(2);
    watcher()?.stored([eventOf(2)]);
    watcher()?.changed();
    await clock.advance(2_000);
    expect(seen).toEqual([2]);
  });

  it('reads at the first of several changes, and once more for the others', async () => {
    const { seen, watcher } = await follow({ isAlone: false });
    await clock.advance(200);
    const before = reads;
    for (let n = 2; n <= 6; n += 1) {
      await store(n);
      watcher()?.changed();
    }
    await clock.advance(60);
    expect([seen, reads - before]).toEqual([[2, 3, 4, 5, 6], 2]);
  });

  it('leaves the feed when it stops', async () => {
    const { poller, watcher } = await follow({ isAlone: true });
    poller.stop();
    await clock.advance(0);
    expect(watcher()).toBeNull();
  });
});
