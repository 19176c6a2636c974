import { silentLogger } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClusterQuota } from '../../src/cluster/cluster-quota.ts';
import { ScriptedCluster } from './scripted-cluster.ts';

let cluster: ScriptedCluster;
let warnings: string[];

beforeEach(() => {
  cluster = new ScriptedCluster();
  warnings = [];
});

function quotaOf(limit: number | null, of: ScriptedCluster | null = cluster, id = 'own'): ClusterQuota {
  const logger = { ...silentLogger, warn: (_fields: object, message: string) => warnings.push(message) };
  return new ClusterQuota({ cluster: of, logger, nodeId: () => id, limit });
}

describe('ClusterQuota', () => {
  it('always acquires without a limit, and does not update the cluster', async () => {
    const quota = quotaOf(null);
    expect(await quota.acquire()).toBe(true);
    quota.release();
    await quota.settled();
    expect(cluster.holds).toEqual([]);
  });

  it('counts the calls of this process alone without a cluster', async () => {
    const quota = quotaOf(2, null);
    expect([await quota.acquire(), await quota.acquire(), await quota.acquire()]).toEqual([true, true, false]);
    quota.release();
    expect([await quota.acquire(), await quota.acquire()]).toEqual([true, false]);
  });

  it('shares the limit with the other processes', async () => {
    const [quota, other] = [quotaOf(3), quotaOf(3, cluster, 'other')];
    expect([await quota.acquire(), await other.acquire(), await quota.acquire()]).toEqual([true, true, true]);
    expect([await quota.acquire(), await other.acquire()]).toEqual([false, false]);
    quota.release();
    await quota.settled();
    expect(await other.acquire()).toBe(true);
  });

  it('sends the number of held calls, which a refusal does not change', async () => {
    const quota = quotaOf(1);
    await quota.acquire();
    await quota.acquire();
    quota.release();
    await quota.settled();
    expect(cluster.holds).toEqual([
      ['own', 1, 1],
      ['own', 2, 1],
      ['own', 0, null],
    ]);
  });

  it('updates one after another, so that concurrent calls count', async () => {
    const quota = quotaOf(2);
    const acquired = await Promise.all([quota.acquire(), quota.acquire(), quota.acquire()]);
    expect(acquired).toEqual([true, true, false]);
    expect(cluster.mostAtOnce).toBe(1);
  });

  it('releases many calls in one update', async () => {
    const quota = quotaOf(5);
    for (let n = 0; n < 5; n += 1) await quota.acquire();
    cluster.holds.length = 0;
    for (let n = 0; n < 4; n += 1) quota.release();
    await quota.settled();
    expect(cluster.holds).toEqual([['own', 1, null]]);
  });

  it('counts nothing that the storage did not confirm', async () => {
    const quota = quotaOf(1);
    cluster.failure = new Error('connection lost');
    await expect(quota.acquire()).rejects.toThrow('connection lost');
    cluster.failure = null;
    expect([await quota.acquire(), await quota.acquire()]).toEqual([true, false]);
  });

  it('sends a release that was lost with the next update', async () => {
    const quota = quotaOf(2);
    await quota.acquire();
    await quota.acquire();
    cluster.failure = new Error('connection lost');
    quota.release();
    await quota.settled();
    expect(warnings).toEqual(['failed to release a call slot of the cluster']);
    cluster.failure = null;
    expect([await quota.acquire(), await quota.acquire()]).toEqual([true, false]);
  });
});
