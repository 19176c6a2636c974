import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { CallEvent } from '../../../src/domain/calls/call-event.ts';
import { EventLog } from '../../../src/operations/event-streams/event-log.ts';
import { EventTail } from '../../../src/operations/event-streams/event-tail.ts';
import { RecentEvents } from '../../../src/operations/event-streams/recent-events.ts';

const startMs = Date.parse('2026-01-01T09:00:00.000Z');

function event(id: number, atMs = startMs): CallEvent {
  const created_at = new Date(atMs).toISOString();
  return { id: `event-${id}`, call_id: 'call', seq: id, created_at, type: 'language', data: { language: 'nl' } };
}

const events = (from: number, count: number): CallEvent[] => Array.from({ length: count }, (_, n) => event(from + n));
const seqs = (read: readonly CallEvent[] | null): number[] | undefined => read?.map(({ seq }) => seq);

describe('EventLog', () => {
  it('returns the events from a position on', () => {
    const log = new EventLog();
    expect([log.end, log.from(0)]).toEqual([0, []]);
    log.append(events(1, 3));
    expect([log.end, seqs(log.from(1)), log.from(3)]).toEqual([3, [2, 3], []]);
  });

  it('returns at most 100 events at once', () => {
    const log = new EventLog();
    log.append(events(0, 250));
    expect(seqs(log.from(0))).toEqual(seqs(events(0, 100)));
    expect(seqs(log.from(200))).toEqual(seqs(events(200, 50)));
  });

  it('drops the oldest events beyond its limit, and keeps the positions of the others', () => {
    const log = new EventLog(3);
    log.append(events(0, 2));
    log.append(events(2, 3));
    expect([log.end, log.from(1), seqs(log.from(2))]).toEqual([5, null, [2, 3, 4]]);
  });
});

describe('EventTail', () => {
  function tailOf(log: EventLog, leaving = new AbortController(), clock = new VirtualClock()) {
    let isAwake = false;
    const tail = new EventTail(clock, log, leaving.signal, () => {});
    const wait = async (): Promise<void> => {
      isAwake = false;
      await tail.wait(5_000);
      isAwake = true;
    };
    return { tail, clock, wait, isAwake: () => isAwake };
  }

  it('returns each event after its creation once', () => {
    const log = new EventLog();
    log.append(events(1, 1));
    const { tail } = tailOf(log);
    expect(tail.take()).toEqual([]);
    log.append(events(2, 2));
    expect(seqs(tail.take())).toEqual([2, 3]);
    expect(tail.take()).toEqual([]);
  });

  it('returns null once it fell behind, and goes on at the end after a skip', () => {
    const log = new EventLog(2);
    const { tail } = tailOf(log);
    log.append(events(1, 3));
    expect([tail.take(), tail.take()]).toEqual([null, null]);
    tail.skip();
    log.append(events(4, 1));
    expect(seqs(tail.take())).toEqual([4]);
  });

  it('waits until it is woken, or the time is over', async () => {
    const { tail, clock, wait, isAwake } = tailOf(new EventLog());
    void wait();
    await clock.advance(1_000);
    expect(isAwake()).toBe(false);
    tail.wake();
    await clock.advance(0);
    expect(isAwake()).toBe(true);
    void wait();
    await clock.advance(4_999);
    expect(isAwake()).toBe(false);
    await clock.advance(1);
    expect(isAwake()).toBe(true);
  });

  it('does not wait while there are events', async () => {
    const log = new EventLog();
    const { clock, wait, isAwake } = tailOf(log);
    log.append(events(1, 1));
    void wait();
    await clock.advance(0);
    expect(isAwake()).toBe(true);
  });

  it('stops waiting when its stream is aborted', async () => {
    const leaving = new AbortController();
    const { clock, wait, isAwake } = tailOf(new EventLog(), leaving);
    void wait();
    leaving.abort();
    await clock.advance(0);
    expect(isAwake()).toBe(true);
  });

  it('throws the error that stopped the poller, and waits no more', async () => {
    const { tail, clock, wait, isAwake } = tailOf(new EventLog());
    void wait();
    tail.fail(new Error('connection lost'));
    await clock.advance(0);
    expect(isAwake()).toBe(true);
    expect(() => tail.take()).toThrow('connection lost');
    void wait();
    await clock.advance(0);
    expect(isAwake()).toBe(true);
  });
});

describe('RecentEvents', () => {
  it('accepts each event once', () => {
    const recent = new RecentEvents(startMs);
    expect([event(1), event(2), event(1)].map((each) => recent.add(each))).toEqual([true, true, false]);
  });

  it('knows the time of the newest event, whatever the order', () => {
    const recent = new RecentEvents(startMs);
    recent.add(event(1, startMs + 500));
    recent.add(event(2, startMs + 200));
    expect(recent.newestMs).toBe(startMs + 500);
  });

  it('starts at the time up to which was read', () => {
    const recent = new RecentEvents(startMs);
    recent.add(event(1, startMs - 500));
    expect(recent.newestMs).toBe(startMs);
  });

  it('remembers an event for 30 s of later ones', () => {
    const recent = new RecentEvents(startMs);
    recent.add(event(1));
    recent.add(event(2, startMs + 30_000));
    expect(recent.add(event(1))).toBe(false);
    recent.add(event(3, startMs + 45_001));
    expect(recent.add(event(1))).toBe(true);
  });
});
