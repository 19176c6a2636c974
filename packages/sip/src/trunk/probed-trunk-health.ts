import type { NodeTrunkHealth } from '@va/core/adapter';
import type { PeerHealth } from './peer-health.ts';

/** The part of a trunk's health that probes determine. */
export type ProbedTrunkHealth = Pick<NodeTrunkHealth, 'state' | 'since' | 'checked_at' | 'round_trip_ms' | 'reason'>;

type ProbedAddress = Pick<PeerHealth, 'state' | 'check' | 'sinceMs'>;

/** Maximum length of a reason, which contains text of the peer. */
const maxReasonLength = 200;

/**
 * Returns the health of a trunk from that of its addresses: it is reachable as long as one of them responds.
 * @param usedSinceMs time of the first call over this trunk; its addresses may be probed earlier, for another trunk
 */
export function probedTrunkHealth(addresses: readonly ProbedAddress[], usedSinceMs: number): ProbedTrunkHealth {
  const up = addresses.filter(({ state }) => state === 'up');
  const down = addresses.filter(({ state }) => state === 'down');
  const state = up.length > 0 ? 'up' : down.length > 0 && down.length === addresses.length ? 'down' : 'unknown';
  const deciding = state === 'up' ? up : state === 'down' ? down : addresses;
  const checks = deciding.flatMap(({ check }) => check ?? []).sort((a, b) => b.atMs - a.atMs);
  const since = deciding.flatMap(({ sinceMs }) => sinceMs ?? []);
  const sinceMs = state === 'up' ? Math.min(...since) : Math.max(...since);
  return {
    state: state === 'up' ? 'reachable' : state === 'down' ? 'unreachable' : 'unknown',
    since: state === 'unknown' ? null : toInstant(Math.max(sinceMs, usedSinceMs)),
    checked_at: checks[0] === undefined ? null : toInstant(checks[0].atMs),
    round_trip_ms: checks.find(({ roundTripMs }) => roundTripMs !== null)?.roundTripMs ?? null,
    reason: checks[0]?.reason?.slice(0, maxReasonLength) ?? null,
  };
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}
