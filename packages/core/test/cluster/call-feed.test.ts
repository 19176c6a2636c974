import { silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { CallFeed, type CallFeedOptions } from '../../src/cluster/call-feed.ts';
import type { CallEvent } from '../../src/domain/calls/call-event.ts';
import { ScriptedCluster } from './scripted-cluster.ts';

let clock: VirtualClock;
let cluster: ScriptedCluster;
let logged: string[];

beforeEach(() => {
  clock = new VirtualClock();
  cluster = new ScriptedCluster();
  logged = [];
});

function feedOf(changes: Partial<CallFeedOptions> = {}): CallFeed {
  const logger = { ...silentLogger, debug: (_fields: object, message: string) => void logged.push(message) };
  const others = { nodeId: () => 'own', isAlone: () => false, isShared: true };
  return new CallFeed({ cluster, clock, logger, ...others, ...changes });
}

function event(seq: number): CallEvent {
  const created_at = '2026-01-01T09:00:00.000Z';
  return { id: `event-${seq}`, call_id: 'call', seq, created_at, type: 'language', data: { language: 'nl' } };
}

/** Collects what a watcher of an organization gets: the numbers of events, or `changed`. */
function watching(feed: CallFeed, orgId: string): { seen: (number | 'changed')[]; unwatch: () => void } {
  const seen: (number | 'changed')[] = [];
  const unwatch = feed.watch(orgId, {
    stored: (events) => seen.push(...events.map(({ seq }) => seq)),
    changed: () => seen.push('changed'),
  });
  return { seen, unwatch };
}

describe('CallFeed', () => {
  it('passes own events to the watchers of their organization at once', () => {
    const feed = feedOf();
    const [own, other] = [watching(feed, 'org-1'), watching(feed, 'org-2')];
    feed.stored('org-1', [event(1), event(2)]);
    expect([own.seen, other.seen]).toEqual([[1, 2], []]);
    own.unwatch();
    feed.stored('org-1', [event(3)]);
    expect(own.seen).toEqual([1, 2]);
  });

  it('notifies other processes of the organizations with events of 25 ms, once each', async () => {
    const feed = feedOf();
    feed.stored('org-1', [event(1)]);
    await clock.advance(24);
    feed.stored('org-1', [event(2)]);
    feed.stored('org-2', [event(3)]);
    expect(cluster.published).toEqual([]);
    await clock.advance(1);
    expect(cluster.published).toEqual([['stored', 'org-1/own', 'org-2/own']]);
    feed.stored('org-1', [event(4)]);
    await clock.advance(25);
    expect(cluster.published).toHaveLength(2);
  });

  it('notifies nobody while it is alone', async () => {
    const feed = feedOf({ isAlone: () => true });
    feed.stored('org-1', [event(1)]);
    await clock.advance(1_000);
    expect([cluster.published, clock.pending]).toEqual([[], 0]);
  });

  it('reports changes of other processes, and not its own', () => {
    const feed = feedOf();
    const { seen } = watching(feed, 'org-1');
    feed.heard('org-1/own');
    feed.heard('org-2/other');
    expect(seen).toEqual([]);
    feed.heard('org-1/other');
    feed.heard('org-1');
    expect(seen).toEqual(['changed', 'changed']);
  });

  it('reports a change to all watchers when notifications may have been lost', () => {
    const feed = feedOf();
    const watchers = [watching(feed, 'org-1'), watching(feed, 'org-2')];
    feed.wakeAll();
    expect(watchers.map(({ seen }) => seen)).toEqual([['changed'], ['changed']]);
  });

  it('only logs that a notification failed', async () => {
    const feed = feedOf();
    cluster.failure = new Error('connection lost');
    feed.stored('org-1', [event(1)]);
    await clock.advance(25);
    expect(logged).toEqual(['failed to notify other nodes of events']);
  });

  it('notifies nobody after it was closed', async () => {
    const feed = feedOf();
    feed.stored('org-1', [event(1)]);
    feed.close();
    await clock.advance(1_000);
    expect([cluster.published, clock.pending]).toEqual([[], 0]);
  });

  it.each([
    ['on a private storage', { cluster: null, isShared: false }, true],
    ['on a shared storage without a cluster', { cluster: null, isShared: true }, false],
    ['in a cluster of one', { isAlone: () => true }, true],
    ['in a cluster of several', { isAlone: () => false }, false],
  ])('knows %s if other processes may store events', (_case, changes, isAlone) => {
    expect(feedOf(changes).isAlone).toBe(isAlone);
  });
});
