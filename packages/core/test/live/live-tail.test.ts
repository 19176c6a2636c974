import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { LiveEvent } from '../../src/domain/calls/live-event.ts';
import { LiveTail } from '../../src/live/live-tail.ts';

const at = '2026-01-01T09:00:00.000Z';
const { signal } = new AbortController();

function speech(call_id: string, content: string): LiveEvent {
  return { type: 'agent-speech', call_id, at, content };
}

function words(call_id: string, content: string): LiveEvent {
  return { type: 'partial-transcript', call_id, at, role: 'user', content };
}

describe('LiveTail', () => {
  it('returns each event once', () => {
    const tail = new LiveTail(new VirtualClock(), null, signal);
    tail.add(speech('a', 'hello'));
    expect(tail.take()).toEqual([speech('a', 'hello')]);
    expect(tail.take()).toEqual([]);
  });

  it('replaces an event by a later one of the same call and type, in the order of the later ones', () => {
    const tail = new LiveTail(new VirtualClock(), null, signal);
    tail.add(words('a', 'a'));
    tail.add(words('b', 'good'));
    tail.add(speech('a', 'hello'));
    tail.add(words('a', 'a table'));
    expect(tail.take()).toEqual([words('b', 'good'), speech('a', 'hello'), words('a', 'a table')]);
  });

  it('ignores other calls than the one of interest', () => {
    const tail = new LiveTail(new VirtualClock(), 'a', signal);
    tail.add(words('b', 'hello'));
    tail.add(words('a', 'hello'));
    expect(tail.take()).toEqual([words('a', 'hello')]);
  });

  it('keeps 5,000 events for a reader that is behind, and still replaces these', () => {
    const tail = new LiveTail(new VirtualClock(), null, signal);
    for (let call = 0; call <= 5_000; call += 1) tail.add(words(`call-${call}`, 'first'));
    tail.add(words('call-0', 'later'));
    const events = tail.take();
    expect(events).toHaveLength(5_000);
    expect(events.at(-1)).toEqual(words('call-0', 'later'));
    expect(events.some(({ call_id }) => call_id === 'call-5000')).toBe(false);
  });

  it('waits for an event, for the abort of its reader, or for the time limit', async () => {
    const clock = new VirtualClock();
    const leaving = new AbortController();
    const tail = new LiveTail(clock, null, leaving.signal);
    const ends: number[] = [];
    const wait = async (): Promise<void> => {
      await tail.wait(1_000);
      ends.push(clock.nowMs());
    };
    const untilEvent = wait();
    await clock.advance(100);
    tail.add(words('a', 'hello'));
    await untilEvent;
    await wait();
    tail.take();
    const untilLimit = wait();
    await clock.advance(1_000);
    await untilLimit;
    const untilAbort = wait();
    await clock.advance(50);
    leaving.abort();
    await untilAbort;
    expect(ends).toEqual([100, 100, 1_100, 1_150]);
  });
});
