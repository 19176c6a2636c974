import type { CallEvent } from '@va/core';
import { type Storage, systemRandom, uuidv7 } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { newCallRecord } from '../../../src/calls/record/call-record.ts';
import { timestamp } from '../../../src/clock/timestamp.ts';
import { CallFeed } from '../../../src/cluster/call-feed.ts';
import { watchCall } from '../../../src/operations/calls/call-events.ts';
import { watchOrganization } from '../../../src/operations/calls/organization-events.ts';
import { EventStreams } from '../../../src/operations/event-streams/event-streams.ts';
import { testOperations } from '../support.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

interface Stream {
  readonly events: CallEvent[];
  readonly done: Promise<void>;
  /** Continues reading; a stream with `isSlow` pauses at its first event. */
  resume(): void;
  stop(): void;
}

/** Returns an organization whose reads of call events are counted; alone or beside another process. */
async function world({ isAlone = false } = {}) {
  const clock = new VirtualClock(new Date('2026-01-15T10:00:00.000Z'));
  const { operations, storage } = testOperations({ clock });
  await storage.start();
  open.push(() => storage.close());
  const { id: orgId } = await operations.organizations.create({ name: 'Acme' });
  await operations.numbers.register(orgId, { phone_number: '+31201234567' });
  const [number] = await storage.numbers.list(orgId, { limit: 1 });
  if (number === undefined) throw new Error('the number was not stored');
  const numbers = { reads: 0, isBroken: false };
  const counted: Storage = new Proxy(storage, {
    get(target, name) {
      if (name !== 'callEvents') return Reflect.get(target, name, target);
      const { callEvents } = target;
      return {
        ...callEvents,
        list: async (...query: Parameters<typeof callEvents.list>) => {
          numbers.reads += 1;
          if (numbers.isBroken) throw new Error('database unavailable');
          return await callEvents.list(...query);
        },
      };
    },
  });
  const feed = new CallFeed({
    ...{ cluster: null, clock, logger: silentLogger, nodeId: () => 'this' },
    isAlone: () => isAlone,
    isShared: !isAlone,
  });
  const streams = new EventStreams({ storage: counted, clock, feed });
  const deps = { storage: counted, clock, streams };
  const call = async (): Promise<string> => {
    const id = uuidv7(clock, systemRandom);
    const record = newCallRecord({ id, direction: 'outbound', number, agent: null, clock });
    await storage.calls.insert(orgId, { ...record, node_id: null, webhook_sequence: 0, reserved_seconds: null });
    return id;
  };
  let seq = 0;
  const storeElsewhere = async (callId: string, count = 1, atSeq = 0): Promise<readonly CallEvent[]> => {
    const events: CallEvent[] = [];
    for (let n = 1; n <= count; n += 1) {
      seq += 1;
      events.push({
        id: uuidv7(clock, systemRandom),
        call_id: callId,
        seq: atSeq === 0 ? seq : atSeq - 1 + n,
        type: 'dtmf',
        data: { digit: '1', durationMs: 100 },
        created_at: timestamp(clock),
      });
    }
    await storage.callEvents.insertMany(orgId, events);
    return events;
  };
  /** Stores events of another process, which notifies this one. */
  const store = async (callId: string, count = 1, atSeq = 0): Promise<void> => {
    await storeElsewhere(callId, count, atSeq);
    feed.heard(`${orgId}/other`);
  };
  /** Stores events of this process. */
  const storeOwn = async (callId: string, count = 1, atSeq = 0): Promise<void> => {
    feed.stored(orgId, await storeElsewhere(callId, count, atSeq));
  };
  const read = (source: (signal: AbortSignal) => AsyncIterable<CallEvent>, isSlow = false): Stream => {
    const aborter = new AbortController();
    const events: CallEvent[] = [];
    let resume = (): void => {};
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const reading = async (): Promise<void> => {
      for await (const event of source(aborter.signal)) {
        events.push(event);
        if (isSlow) await resumed;
      }
    };
    return { events, done: reading(), resume: () => resume(), stop: () => aborter.abort() };
  };
  const watch = (lastEventId: string | null = null, isSlow = false): Stream =>
    read((signal) => watchOrganization(deps, orgId, { lastEventId, signal }), isSlow);
  const watchOne = (callId: string): Stream => read((signal) => watchCall(deps, orgId, callId, { after: 0, signal }));
  return { clock, storage, orgId, numbers, call, store, storeOwn, storeElsewhere, watch, watchOne };
}

describe('event streams of one organization', () => {
  it('read the storage as often as a single stream', async () => {
    const readsOf = async (count: number): Promise<number> => {
      const my = await world();
      const id = await my.call();
      const streams = Array.from({ length: count }, () => my.watch());
      await my.clock.advance(0);
      for (let second = 0; second < 10; second += 1) {
        await my.store(id);
        await my.clock.advance(1_000);
      }
      for (const { events } of streams) expect(events).toHaveLength(10);
      for (const { stop } of streams) stop();
      await my.clock.advance(1_000);
      await Promise.all(streams.map(({ done }) => done));
      return my.numbers.reads;
    };
    const one = await readsOf(1);
    expect(one).toBeLessThan(40);
    expect(await readsOf(50)).toBe(one);
  });

  it('deliver an event at once and batch those of the following 50 ms', async () => {
    const my = await world();
    const id = await my.call();
    const { events, stop, done } = my.watch();
    await my.clock.advance(500);
    await my.store(id);
    await my.clock.advance(0);
    expect(events).toHaveLength(1);
    const { reads } = my.numbers;
    for (let n = 0; n < 4; n += 1) {
      await my.store(id);
      await my.clock.advance(10);
    }
    await my.clock.advance(10);
    expect([events.length, my.numbers.reads - reads]).toEqual([5, 1]);
    stop();
    await my.clock.advance(100);
    await done;
  });

  it('read the storage less often while there are many events, and lose none', async () => {
    const my = await world();
    const id = await my.call();
    const { events, stop, done } = my.watch();
    await my.clock.advance(500);
    const storeFor = async (seconds: number): Promise<number> => {
      const { reads } = my.numbers;
      for (let step = 0; step < seconds * 20; step += 1) {
        await my.store(id, 20);
        await my.clock.advance(50);
      }
      return my.numbers.reads - reads;
    };
    await storeFor(1);
    // Each read has two pages: the events of the last second, and those since.
    expect(await storeFor(5)).toBeLessThan(50);
    await my.clock.advance(1_000);
    expect(events).toHaveLength(6 * 20 * 20);
    stop();
    await my.clock.advance(1_000);
    await done;
  });

  it('stop reading the storage when the last stream closes', async () => {
    const my = await world();
    const [first, second] = [my.watch(), my.watch()];
    await my.clock.advance(1_000);
    first.stop();
    await my.clock.advance(5_000);
    const { reads } = my.numbers;
    await my.clock.advance(5_000);
    expect(my.numbers.reads).toBeGreaterThan(reads);
    second.stop();
    await my.clock.advance(100);
    await Promise.all([first.done, second.done]);
    const after = my.numbers.reads;
    await my.clock.advance(60_000);
    expect([my.numbers.reads, my.clock.pending]).toEqual([after, 0]);
  });

  it('do not wait for a slow reader, which still receives every event', async () => {
    const my = await world();
    const id = await my.call();
    const [slow, quick] = [my.watch(null, true), my.watch()];
    await my.clock.advance(0);
    for (let batch = 0; batch < 50; batch += 1) {
      await my.store(id, 60);
      await my.clock.advance(1_000);
    }
    expect([slow.events.length, quick.events.length]).toEqual([1, 3_000]);
    slow.resume();
    await my.clock.advance(1_000);
    const told = (events: readonly CallEvent[]): Set<string> => new Set(events.map((event) => event.id));
    expect([told(slow.events).size, slow.events.length]).toEqual([3_000, 3_000]);
    for (const { stop } of [slow, quick]) stop();
    await my.clock.advance(100);
    await Promise.all([slow.done, quick.done]);
  });

  it('resume after the last event that the client received', async () => {
    const my = await world();
    const id = await my.call();
    await my.store(id, 3);
    const [before] = await my.storage.callEvents.list(my.orgId, { limit: 1, order: 'oldest' });
    await my.clock.advance(60_000);
    await my.store(id, 2);
    const other = my.watch();
    await my.clock.advance(3_000);
    const again = my.watch(before?.id ?? '');
    await my.clock.advance(0);
    await my.store(id);
    await my.clock.advance(1_000);
    expect([new Set(again.events.map((event) => event.id)).size, again.events.length]).toEqual([6, 6]);
    expect(other.events).toHaveLength(1);
    for (const { stop } of [again, other]) stop();
    await my.clock.advance(100);
    await Promise.all([again.done, other.done]);
  });

  it('fail when the storage fails, so that clients reconnect', async () => {
    const my = await world();
    const streams = [my.watch(), my.watch()];
    const failures = streams.map(({ done }) => done.catch((error: Error) => error.message));
    await my.clock.advance(0);
    my.numbers.isBroken = true;
    await my.clock.advance(1_000);
    expect(await Promise.all(failures)).toEqual(['database unavailable', 'database unavailable']);
    my.numbers.isBroken = false;
    const again = my.watch();
    await my.clock.advance(0);
    await my.store(await my.call());
    await my.clock.advance(1_000);
    expect(again.events).toHaveLength(1);
    again.stop();
    await my.clock.advance(100);
    await again.done;
  });
});

describe('event streams of a process', () => {
  it('deliver what it has stored itself without a read, if it is alone', async () => {
    const my = await world({ isAlone: true });
    const id = await my.call();
    const { events, stop, done } = my.watch();
    await my.clock.advance(500);
    const { reads } = my.numbers;
    await my.storeOwn(id, 2);
    await my.clock.advance(0);
    expect(events.map(({ seq }) => seq)).toEqual([1, 2]);
    for (let n = 0; n < 4; n += 1) {
      await my.storeOwn(id);
      await my.clock.advance(10);
    }
    expect(events).toHaveLength(2);
    await my.clock.advance(10);
    expect(events).toHaveLength(6);
    await my.clock.advance(60_000);
    expect(my.numbers.reads).toBe(reads);
    const stored = await my.storage.callEvents.list(my.orgId, { limit: 10 });
    expect(stored.toSorted((a, b) => a.seq - b.seq)).toEqual(events);
    stop();
    await my.clock.advance(100);
    await done;
  });

  it('deliver its own events once among those of others, and without more reads', async () => {
    const my = await world();
    const id = await my.call();
    const { events, stop, done } = my.watch();
    await my.clock.advance(500);
    const { reads } = my.numbers;
    for (let second = 0; second < 10; second += 1) {
      for (let n = 0; n < 10; n += 1) {
        await my.storeOwn(id);
        await my.clock.advance(50);
      }
      await my.store(id);
      await my.clock.advance(500);
    }
    expect(events).toHaveLength(110);
    expect(new Set(events.map((event) => event.id)).size).toBe(110);
    expect(my.numbers.reads - reads).toBeLessThanOrEqual(21);
    stop();
    await my.clock.advance(100);
    await done;
  });

  it('find within a second what another process has stored without a notification', async () => {
    const my = await world();
    const id = await my.call();
    const { events, stop, done } = my.watch();
    await my.clock.advance(500);
    await my.storeElsewhere(id);
    await my.clock.advance(1_000);
    expect(events).toHaveLength(1);
    stop();
    await my.clock.advance(1_000);
    await done;
  });

  it('read what another process has stored before this one knows that it is not alone', async () => {
    const my = await world({ isAlone: true });
    const id = await my.call();
    const { events, stop, done } = my.watch();
    await my.clock.advance(500);
    await my.store(id);
    await my.clock.advance(100);
    expect(events).toHaveLength(1);
    stop();
    await my.clock.advance(100);
    await done;
  });
});

describe('event streams of calls', () => {
  it('share the poller of their organization', async () => {
    const my = await world();
    const ids = await Promise.all(Array.from({ length: 50 }, () => my.call()));
    const streams = ids.map((id) => my.watchOne(id));
    await my.clock.advance(0);
    const { reads } = my.numbers;
    for (let second = 1; second <= 4; second += 1) {
      for (const id of ids) await my.store(id, 1, second);
      await my.clock.advance(1_000);
    }
    for (const { events } of streams) expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    // The poller reads at each notification and once a second; a separate stream reads only every 5 s.
    expect(my.numbers.reads - reads).toBeLessThan(20);
    for (const { stop } of streams) stop();
    await my.clock.advance(100);
    await Promise.all(streams.map(({ done }) => done));
  });
});
