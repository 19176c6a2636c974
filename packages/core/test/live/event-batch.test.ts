import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { LiveEvent } from '../../src/domain/calls/live-event.ts';
import { EventBatch, type OwnedEvent } from '../../src/live/event-batch.ts';

const at = '2026-01-01T09:00:00.000Z';

function levels(call_id: string, caller_db: number): LiveEvent {
  return { type: 'levels', call_id, at, caller_db, agent_db: -60 };
}

function speech(call_id: string, content: string): LiveEvent {
  return { type: 'agent-speech', call_id, at, content };
}

function gathering() {
  const clock = new VirtualClock();
  const published: (readonly OwnedEvent[])[] = [];
  const batch = new EventBatch(clock, 1_000, (events) => void published.push(events));
  return { clock, published, batch };
}

describe('EventBatch', () => {
  it('publishes what was gathered since its first event, and then gathers again', async () => {
    const { clock, published, batch } = gathering();
    batch.add('org', levels('a', -20));
    await clock.advance(600);
    batch.add('org', speech('a', 'hello'));
    await clock.advance(399);
    expect(published).toEqual([]);
    await clock.advance(1);
    batch.add('org', levels('a', -30));
    await clock.advance(1_000);
    expect(published.map((events) => events.map(({ event }) => event.type))).toEqual([
      ['levels', 'agent-speech'],
      ['levels'],
    ]);
    await clock.advance(5_000);
    expect(published).toHaveLength(2);
  });

  it('keeps the latest event of each call and type', async () => {
    const { clock, published, batch } = gathering();
    batch.add('org', levels('a', -20));
    batch.add('other', levels('b', -40));
    batch.add('org', levels('a', -10));
    await clock.advance(1_000);
    expect(published).toEqual([
      [
        { orgId: 'org', event: levels('a', -10) },
        { orgId: 'other', event: levels('b', -40) },
      ],
    ]);
  });

  it('publishes nothing after close, and leaves no timer', async () => {
    const { clock, published, batch } = gathering();
    batch.add('org', levels('a', -20));
    batch.close();
    expect(clock.pending).toBe(0);
    await clock.advance(2_000);
    expect(published).toEqual([]);
  });
});
