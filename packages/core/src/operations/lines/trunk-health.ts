import type { TrunkHealth } from '../../domain/numbers/trunk-health.ts';
import { checkId, requireFound } from '../../input/require-found.ts';
import type { PublishedTrunkHealth } from '../../ports/cluster.ts';
import type { Storage } from '../../ports/storage/storage.ts';

const maxTrunks = 1_000;

export interface TrunkHealthDependencies {
  readonly storage: Storage;
  /** Reads the trunk health that nodes published; without it every trunk is `unknown`. */
  readonly clusterTrunkHealth?:
    | { of(trunkIds: readonly string[]): Promise<readonly PublishedTrunkHealth[]> }
    | undefined;
}

/** Returns the health of a trunk. 404 `sip_trunk_not_found`. */
export async function trunkHealth(deps: TrunkHealthDependencies, orgId: string, id: string): Promise<TrunkHealth> {
  checkId('sip_trunk', id);
  requireFound(await deps.storage.trunks.get(orgId, id), 'sip_trunk', id);
  return healthOf(id, (await deps.clusterTrunkHealth?.of([id])) ?? []);
}

/** Returns the health of all trunks of the organization, newest trunk first. */
export async function allTrunkHealth(deps: TrunkHealthDependencies, orgId: string): Promise<TrunkHealth[]> {
  const trunks = await deps.storage.trunks.list(orgId, { limit: maxTrunks });
  const ids = trunks.map(({ id }) => id);
  const known = ids.length === 0 ? [] : ((await deps.clusterTrunkHealth?.of(ids)) ?? []);
  return ids.map((id) => healthOf(id, known));
}

function healthOf(id: string, known: readonly PublishedTrunkHealth[]): TrunkHealth {
  const own = known.filter(({ trunkId }) => trunkId === id);
  return {
    trunk_id: id,
    state: stateOf(own),
    nodes: own.map(({ nodeId, health }) => ({ node_id: nodeId, ...health })),
  };
}

function stateOf(own: readonly PublishedTrunkHealth[]): TrunkHealth['state'] {
  const states = new Set(own.map(({ health }) => health.state));
  if (states.has('reachable')) return states.has('unreachable') ? 'degraded' : 'reachable';
  return states.has('unreachable') ? 'unreachable' : 'unknown';
}
