import { describe, expect, it } from 'vitest';
import {
  type NodeTrunkHealth,
  type TrunkHealth,
  unknownTrunkHealth,
} from '../../../src/domain/numbers/trunk-health.ts';
import { allTrunkHealth, trunkHealth } from '../../../src/operations/lines/trunk-health.ts';
import type { PublishedTrunkHealth } from '../../../src/ports/cluster.ts';
import { recordId, sampleTrunk } from '../../support/sample-records.ts';
import { organizationOf, orgId, otherOrgId, refusal, testOperations, unknownId } from '../support.ts';

const [first, second] = [recordId('2', 1), recordId('2', 2)];

function told(n: number, trunkId: string, health: Partial<NodeTrunkHealth>): PublishedTrunkHealth {
  return { nodeId: recordId('e', n), trunkId, health: { ...unknownTrunkHealth, ...health } };
}

/** Two trunks, of which the nodes know this much. */
async function trunksOf(known: readonly PublishedTrunkHealth[] | null) {
  const { storage, clock } = testOperations();
  await storage.organizations.insert(orgId, organizationOf(orgId, clock));
  await storage.trunks.insert(orgId, sampleTrunk({ id: first }));
  await storage.trunks.insert(orgId, sampleTrunk({ id: second, created_at: '2026-01-01T10:00:00.000Z' }));
  const asked: (readonly string[])[] = [];
  const clusterTrunkHealth = {
    async of(ids: readonly string[]) {
      asked.push(ids);
      return known ?? [];
    },
  };
  return { deps: { storage, ...(known !== null && { clusterTrunkHealth }) }, asked };
}

describe('the health of a trunk', () => {
  it.each<[TrunkHealth['state'], readonly NodeTrunkHealth['state'][]]>([
    ['unknown', []],
    ['unknown', ['unknown']],
    ['reachable', ['reachable']],
    ['reachable', ['reachable', 'unknown']],
    ['unreachable', ['unreachable', 'unknown']],
    ['degraded', ['unreachable', 'reachable']],
  ])('is %s if the nodes find it %j', async (expected, states) => {
    const { deps } = await trunksOf(states.map((state, n) => told(n, first, { state })));
    expect((await trunkHealth(deps, orgId, first)).state).toBe(expected);
  });

  it('has what each node knows of it, and nothing of other trunks', async () => {
    const { deps } = await trunksOf([
      told(1, first, { state: 'reachable', round_trip_ms: 12 }),
      told(2, second, { state: 'unreachable', reason: '503' }),
    ]);
    expect(await trunkHealth(deps, orgId, first)).toEqual({
      trunk_id: first,
      state: 'reachable',
      nodes: [{ node_id: recordId('e', 1), ...unknownTrunkHealth, state: 'reachable', round_trip_ms: 12 }],
    });
  });

  it('is unknown in a process that knows no nodes', async () => {
    const { deps } = await trunksOf(null);
    expect(await trunkHealth(deps, orgId, first)).toEqual({ trunk_id: first, state: 'unknown', nodes: [] });
  });

  it.each([
    ['an unknown trunk', orgId, unknownId],
    ['something that is no id', orgId, 'one'],
    ['a trunk of another organization', otherOrgId, first],
  ])('is not that of %s, for which no node is asked', async (_what, owner, id) => {
    const { deps, asked } = await trunksOf([]);
    expect(await refusal(trunkHealth(deps, owner, id))).toMatchObject({ status: 404, code: 'sip_trunk_not_found' });
    expect(asked).toEqual([]);
  });
});

describe('the health of all trunks', () => {
  it('is read at once, newest trunk first', async () => {
    const { deps, asked } = await trunksOf([told(1, first, { state: 'unreachable' })]);
    const found = await allTrunkHealth(deps, orgId);
    expect(found.map(({ trunk_id: id, state }) => [id, state])).toEqual([
      [second, 'unknown'],
      [first, 'unreachable'],
    ]);
    expect(asked).toEqual([[second, first]]);
  });

  it('is empty without trunks, for which no node is asked', async () => {
    const { deps, asked } = await trunksOf([]);
    expect([await allTrunkHealth(deps, otherOrgId), asked]).toEqual([[], []]);
  });
});
