import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { ClusterTrunkHealth } from '../../src/deployment/cluster-trunk-health.ts';
import { type NodeTrunkHealth, unknownTrunkHealth } from '../../src/domain/numbers/trunk-health.ts';
import type { Cluster, PublishedTrunkHealth } from '../../src/ports/cluster.ts';

describe('the health of trunks of all nodes', () => {
  const health = { ...unknownTrunkHealth, state: 'reachable' } as const;

  function reports(changes: { isAlone?: boolean; known?: PublishedTrunkHealth[] } = {}) {
    const written: Readonly<Record<string, NodeTrunkHealth>>[] = [];
    const clock = new VirtualClock();
    const own = new Map<string, NodeTrunkHealth>();
    const cluster = {
      publishTrunkHealth: async (_node: string, published: Readonly<Record<string, NodeTrunkHealth>>) =>
        void written.push(published),
      trunkHealth: async () => changes.known ?? [],
    } as Partial<Cluster> as Cluster;
    const all = new ClusterTrunkHealth({
      ...{ cluster, clock, logger: silentLogger, own: { byTrunk: () => own } },
      nodeId: () => 'here',
      isAlone: () => changes.isAlone ?? false,
    });
    all.start();
    return { all, own, clock, written };
  }

  it('is published every 15 s if it has changed, once for all trunks', async () => {
    const { all, own, clock, written } = reports();
    await clock.advance(60_000);
    expect(written).toEqual([]);
    for (const id of ['a', 'b', 'c']) own.set(id, health);
    await clock.advance(60_000);
    expect(written).toEqual([{ a: health, b: health, c: health }]);
    own.delete('a');
    await clock.advance(15_000);
    expect(written).toHaveLength(2);
    await all.stop();
    own.clear();
    await clock.advance(60_000);
    expect(written).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  it('is neither published nor read by a process that is alone', async () => {
    const { all, own, clock, written } = reports({
      isAlone: true,
      known: [{ nodeId: 'there', trunkId: 'a', health }],
    });
    own.set('a', health);
    await clock.advance(60_000);
    expect(written).toEqual([]);
    expect(await all.of(['a', 'b'])).toEqual([{ nodeId: 'here', trunkId: 'a', health }]);
    await all.stop();
  });

  it('is current for this process, and as published for others', async () => {
    const older = { ...health, state: 'unreachable' } as const;
    const known = ['here', 'there'].map((nodeId) => ({ nodeId, trunkId: 'a', health: older }));
    const { all, own } = reports({ known });
    own.set('a', health);
    expect(await all.of(['a'])).toEqual([
      { nodeId: 'here', trunkId: 'a', health },
      { nodeId: 'there', trunkId: 'a', health: older },
    ]);
    await all.stop();
  });
});
