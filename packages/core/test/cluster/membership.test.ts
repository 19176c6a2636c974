import { silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { Membership, type MembershipOptions } from '../../src/cluster/membership.ts';
import type { NodeState } from '../../src/ports/cluster.ts';
import { ScriptedCluster } from './scripted-cluster.ts';

const leaseMs = 12_000;
const beatMs = leaseMs / 3;
const otherNode: NodeState = { id: 'other', name: 'b', isDraining: false, calls: 0 };

let clock: VirtualClock;
let cluster: ScriptedCluster;
let logged: string[];
let cleaned: (readonly string[])[];
let takenForDead: number;
let calls: number;

beforeEach(() => {
  clock = new VirtualClock();
  cluster = new ScriptedCluster();
  [logged, cleaned, takenForDead, calls] = [[], [], 0, 0];
});

function membership(changes: Partial<MembershipOptions> = {}): Membership {
  const log = (_fields: object, message: string): void => void logged.push(message);
  let next = 0;
  return new Membership({
    cluster,
    clock,
    random: (count) => Uint8Array.from({ length: count }, () => next++),
    logger: { ...silentLogger, warn: log, error: log },
    name: 'a',
    leaseMs,
    state: () => ({ isDraining: false, calls }),
    onLost: async (nodeIds) => void cleaned.push(nodeIds),
    onTakenForDead: () => {
      takenForDead += 1;
    },
    ...changes,
  });
}

describe('Membership', () => {
  it('is alone on a private storage, without a timer', async () => {
    const node = membership({ cluster: null });
    await node.start();
    expect([node.isAlone, clock.pending]).toEqual([true, 0]);
    await node.stop();
  });

  it('joins with its state, and renews its lease three times per lease', async () => {
    const node = membership();
    await node.start();
    expect(cluster.members.get(node.id)).toEqual({ id: node.id, name: 'a', isDraining: false, calls: 0 });
    calls = 7;
    await clock.advance(leaseMs);
    expect(cluster.renewals).toBe(3);
    expect(cluster.members.get(node.id)?.calls).toBe(7);
  });

  it('does not start if the storage refuses it', async () => {
    cluster.failure = new Error('connection refused');
    await expect(membership().start()).rejects.toThrow('connection refused');
    expect(clock.pending).toBe(0);
  });

  it('knows whether there are other processes as of the last heartbeat', async () => {
    const node = membership();
    await node.start();
    cluster.members.set(otherNode.id, otherNode);
    expect(node.isAlone).toBe(true);
    await clock.advance(beatMs);
    expect(node.isAlone).toBe(false);
    cluster.members.delete(otherNode.id);
    await clock.advance(beatMs);
    expect(node.isAlone).toBe(true);
  });

  it('publishes a change at once, and only logs a failure', async () => {
    const node = membership();
    await node.start();
    calls = 3;
    await node.tell();
    expect(cluster.members.get(node.id)?.calls).toBe(3);
    cluster.failure = new Error('connection lost');
    await node.tell();
    expect(logged).toEqual(['failed to notify the other nodes']);
  });

  it('cleans up after dead nodes, and removes them', async () => {
    const node = membership();
    await node.start();
    cluster.lost = ['dead-1', 'dead-2'];
    await clock.advance(leaseMs);
    expect(cleaned).toEqual([['dead-1', 'dead-2']]);
    expect(cluster.removed).toEqual(['dead-1', 'dead-2']);
    await clock.advance(leaseMs);
    expect(cleaned).toHaveLength(1);
  });

  it('treats no node as dead until it has reached the storage for the time of a lease', async () => {
    await membership().start();
    cluster.lost = ['dead'];
    await clock.advance(leaseMs - 1);
    expect(cleaned).toEqual([]);
    await clock.advance(1);
    expect(cleaned).toEqual([['dead']]);
  });

  it('waits for another lease after an outage of the storage', async () => {
    await membership().start();
    await clock.advance(leaseMs);
    cluster.failure = new Error('connection lost');
    await clock.advance(beatMs);
    expect(logged).toEqual(['failed to renew the lease of this node']);
    cluster.failure = null;
    cluster.lost = ['dead'];
    await clock.advance(leaseMs);
    expect(cleaned).toEqual([]);
    await clock.advance(beatMs);
    expect(cleaned).toEqual([['dead']]);
  });

  it('waits for another lease after it was suspended itself', async () => {
    await membership().start();
    await clock.advance(leaseMs);
    cluster.lost = ['dead'];
    clock.block(leaseMs + 1);
    await clock.advance(0);
    expect(cleaned).toEqual([]);
    await clock.advance(leaseMs);
    expect(cleaned).toEqual([['dead']]);
  });

  it('cleans up again after a failure', async () => {
    let isFailing = true;
    const onLost = async (nodeIds: readonly string[]): Promise<void> => {
      if (isFailing) throw new Error('deadlock');
      cleaned.push(nodeIds);
    };
    await membership({ onLost }).start();
    cluster.lost = ['dead'];
    await clock.advance(leaseMs);
    expect(logged).toContain('failed to end the calls of dead nodes; will retry');
    expect(cluster.removed).toEqual([]);
    isFailing = false;
    await clock.advance(beatMs);
    expect(cleaned).toEqual([['dead']]);
    expect(cluster.removed).toEqual(['dead']);
  });

  it('renews its lease while a clean-up takes long, and does not start a second one', async () => {
    let end: () => void = () => {};
    let started = 0;
    const onLost = async (): Promise<void> => {
      started += 1;
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    };
    await membership({ onLost }).start();
    cluster.lost = ['dead'];
    await clock.advance(3 * leaseMs);
    expect([started, cluster.renewals]).toEqual([1, 9]);
    end();
    await clock.advance(beatMs);
    expect(cluster.removed).toEqual(['dead']);
  });

  it('joins under a new id after other nodes have removed it as dead', async () => {
    const node = membership();
    await node.start();
    const { id } = node;
    cluster.members.delete(id);
    await clock.advance(beatMs);
    expect(takenForDead).toBe(1);
    expect(node.id).not.toBe(id);
    expect([...cluster.members.keys()]).toEqual([node.id]);
    await clock.advance(leaseMs);
    expect(takenForDead).toBe(1);
  });

  it('joins at a later heartbeat if the storage failed just then', async () => {
    const node = membership();
    await node.start();
    cluster.members.delete(node.id);
    let isFirst = true;
    cluster.before = () => {
      // The renewal succeeds, the join after it fails.
      cluster.failure = isFirst ? null : new Error('connection lost');
      isFirst = false;
    };
    await clock.advance(beatMs);
    expect([takenForDead, cluster.members.size]).toEqual([1, 0]);
    cluster.before = () => {};
    cluster.failure = null;
    await clock.advance(beatMs);
    expect([takenForDead, ...cluster.members.keys()]).toEqual([1, node.id]);
  });

  it('leaves the cluster when it stops', async () => {
    const node = membership();
    await node.start();
    await node.stop();
    expect(cluster.members.size).toBe(0);
    await node.tell();
    await clock.advance(leaseMs);
    expect([clock.pending, cluster.renewals, cluster.members.size]).toEqual([0, 0, 0]);
  });

  it('stops even if the storage cannot be reached', async () => {
    const node = membership();
    await node.start();
    cluster.failure = new Error('connection lost');
    await node.stop();
    expect(logged).toEqual(['failed to deregister the node']);
  });

  it('removes nothing when it stops without having joined', async () => {
    await membership().stop();
    expect(cluster.removed).toEqual([]);
  });
});
