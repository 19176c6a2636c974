import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { LiveEvent } from '../../src/domain/calls/live-event.ts';
import { uuidv7 } from '../../src/ids.ts';
import { LiveFeed } from '../../src/live/live-feed.ts';
import type { Cluster } from '../../src/ports/cluster.ts';

const clock = new VirtualClock();
const [orgId, callId] = [uuidv7(clock), uuidv7(clock)];

function words(content: string, call_id = callId): LiveEvent {
  return { type: 'partial-transcript', call_id, at: new Date(clock.wallMs()).toISOString(), role: 'user', content };
}

/** Processes that receive each other's messages. */
function nodes(count: number, events: string[] = []): LiveFeed[] {
  const feeds: LiveFeed[] = [];
  const cluster = {
    publish: async (topic: string, ids: readonly string[]) => {
      if (topic === 'live') events.push(...ids);
      for (const id of ids) {
        expect(id).not.toMatch(/\s/);
        for (const feed of feeds) feed.heard(topic, id);
      }
    },
  } as Partial<Cluster> as Cluster;
  for (let n = 0; n < count; n += 1) {
    const nodeId = `node-${n}`;
    feeds.push(
      new LiveFeed({ cluster, clock, logger: silentLogger, nodeId: () => nodeId, isAlone: () => count === 1 }),
    );
  }
  return feeds;
}

const contents = (events: readonly LiveEvent[]): string[] =>
  events.map((event) => ('content' in event ? event.content : event.type));

describe('the feed of live events', () => {
  it('knows whether somebody watches an organization', () => {
    const [feed] = nodes(1);
    expect(feed?.isWatched(orgId)).toBe(false);
    const leaving = new AbortController();
    feed?.join(orgId, null, leaving.signal);
    expect([feed?.isWatched(orgId), feed?.isWatched(uuidv7(clock))]).toEqual([true, false]);
    leaving.abort();
    expect(feed?.isWatched(orgId)).toBe(false);
  });

  it('begins with the present state, and keeps the latest event of each call and type', () => {
    const [feed] = nodes(1);
    const other = uuidv7(clock);
    const end = feed?.register(orgId, callId, () => [words('so far')]);
    const { signal } = new AbortController();
    const all = feed?.join(orgId, null, signal);
    const one = feed?.join(orgId, other, signal);
    expect(contents(all?.take() ?? [])).toEqual(['so far']);
    for (const content of ['a', 'a table']) feed?.publish(orgId, words(content));
    feed?.publish(orgId, words('hello', other));
    expect(contents(all?.take() ?? [])).toEqual(['a table', 'hello']);
    expect(contents(one?.take() ?? [])).toEqual(['hello']);
    end?.();
    expect(feed?.join(orgId, null, signal).take()).toEqual([]);
  });

  it('does not publish events of one organization to another', () => {
    const [feed] = nodes(1);
    const tail = feed?.join(uuidv7(clock), null, new AbortController().signal);
    feed?.publish(orgId, words('secret'));
    expect(tail?.take()).toEqual([]);
  });

  it('reaches readers on other nodes, once, for as long as they watch', async () => {
    const events: string[] = [];
    const [here, there] = nodes(2, events);
    here?.register(orgId, callId, () => [words('present')]);
    const leaving = new AbortController();
    const tail = there?.join(orgId, null, leaving.signal);
    await clock.advance(200);
    expect(contents(tail?.take() ?? [])).toEqual(['present']);
    here?.publish(orgId, words('x'.repeat(5_000)));
    await clock.advance(200);
    expect(contents(tail?.take() ?? [])).toEqual(['x'.repeat(1_500)]);
    await clock.advance(60_000);
    there?.publish(orgId, words('own'));
    await clock.advance(200);
    expect(events).toHaveLength(2);
    expect(here?.isWatched(orgId)).toBe(true);
    leaving.abort();
    await clock.advance(40_000);
    expect(here?.isWatched(orgId)).toBe(false);
  });

  it('passes levels, which change all the time, to other nodes once a second', async () => {
    const messages: string[] = [];
    const [here, there] = nodes(2, messages);
    here?.register(orgId, callId, () => []);
    const tail = there?.join(orgId, null, new AbortController().signal);
    await clock.advance(200);
    for (let db = -50; db < 0; db += 5) {
      here?.publish(orgId, {
        type: 'levels',
        call_id: callId,
        at: '2026-03-01T12:00:00.000Z',
        caller_db: db,
        agent_db: -60,
      });
      await clock.advance(200);
    }
    await clock.advance(1_000);
    expect(tail?.take()).toMatchObject([{ type: 'levels', caller_db: -5 }]);
    expect(messages.length).toBeGreaterThan(1);
    expect(messages.length).toBeLessThan(5);
  });

  it('ignores malformed messages', () => {
    const [feed] = nodes(1);
    const tail = feed?.join(orgId, null, new AbortController().signal);
    for (const id of ['', orgId, `${orgId}/`, `${orgId}/e30`, `${orgId}/%%%`]) feed?.heard('live', id);
    for (const id of ['', 'no-id', 'node-7/no-id']) feed?.heard('live-watched', id);
    expect(tail?.take()).toEqual([]);
  });
});
