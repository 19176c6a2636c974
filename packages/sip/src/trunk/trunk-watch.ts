import type { Clock, Logger, RandomBytes, Timer } from '@va/core/adapter';
import { parseNameAddr } from '../message/name-addr.ts';
import { targetKey } from '../resolve/blacklist.ts';
import type { Target } from '../transport/transport-layer.ts';
import type { UserAgent } from '../user-agent.ts';
import type { PeerHealth } from './peer-health.ts';
import { type ProbedTrunkHealth, probedTrunkHealth } from './probed-trunk-health.ts';

/** An address that calls are sent to, and its health. */
export interface SipPeer extends Target {
  /** Host of the trunk as configured, or of the target of a redirection. */
  readonly trunk: string;
  /** `unknown` until it has responded once, or has failed twice. */
  readonly state: 'unknown' | 'up' | 'down';
}

interface TrunkWatchOptions {
  readonly agent: Pick<UserAgent, 'watch' | 'peers'>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
  readonly intervalMs: number;
}

interface WatchedAddress {
  readonly trunk: string;
  readonly target: Target;
  usedAtMs: number;
  startTimer: Timer | null;
  health: PeerHealth | null;
}

/** Time after the last call to an address for which it is still probed. */
const maxUnusedMs = 3_600_000;
const maxWatched = 256;
/** Maximum number of trunks whose health is kept by their id; several may share an address. */
const maxTrunks = 1_000;
/**
 * Time beyond the probe interval for which an address that is down stays blacklisted: by then the next probe has a
 * result.
 */
const probeResultMs = 10_000;

/**
 * Probes the addresses that calls are sent to, each once regardless of the number of trunks and calls. An address that
 * does not respond is called last, before a call has to find that out.
 * @see RFC 3261 §11
 */
export class TrunkWatch {
  readonly #options: TrunkWatchOptions;
  /** Least recently used first. */
  readonly #watched = new Map<string, WatchedAddress>();
  /** Addresses of each trunk by its id, the least recently used trunk first. */
  readonly #trunks = new Map<string, { readonly sinceMs: number; readonly keys: readonly string[] }>();

  constructor(options: TrunkWatchOptions) {
    this.#options = options;
  }

  get peers(): readonly SipPeer[] {
    return [...this.#watched.values()].map(({ trunk, target, health }) => ({
      ...target,
      trunk,
      state: health?.state ?? 'unknown',
    }));
  }

  /** Health of the trunks with outgoing calls, by their id; without trunks whose addresses are no longer probed. */
  get trunkHealth(): ReadonlyMap<string, ProbedTrunkHealth> {
    const health = new Map<string, ProbedTrunkHealth>();
    for (const [id, { sinceMs, keys }] of this.#trunks) {
      const addresses = keys.flatMap((key) => this.#watched.get(key) ?? []).map((each) => each.health ?? notProbed);
      if (addresses.length > 0) health.set(id, probedTrunkHealth(addresses, sinceMs));
    }
    return health;
  }

  /**
   * Records that a call is sent to a trunk, or to the target of a redirection, with these addresses.
   * @param trunk host of the trunk or target
   * @param trunkId null for the target of a redirection
   */
  use(trunk: string, targets: readonly Target[], trunkId: string | null = null): void {
    if (trunkId !== null) this.#useTrunk(trunkId, targets);
    const nowMs = this.#options.clock.nowMs();
    for (const target of targets) {
      const key = targetKey(target);
      const known = this.#watched.get(key);
      this.#watched.delete(key);
      this.#watched.set(key, known ?? this.#start(key, trunk, target));
      if (known !== undefined) known.usedAtMs = nowMs;
    }
    this.#forget(nowMs);
  }

  close(): void {
    for (const each of this.#watched.values()) stopProbing(each);
    this.#watched.clear();
    this.#trunks.clear();
  }

  #useTrunk(id: string, targets: readonly Target[]): void {
    const sinceMs = this.#trunks.get(id)?.sinceMs ?? this.#options.clock.wallMs();
    this.#trunks.delete(id);
    this.#trunks.set(id, { sinceMs, keys: targets.map(targetKey) });
    const [oldest] = this.#trunks.keys();
    if (this.#trunks.size > maxTrunks && oldest !== undefined) this.#trunks.delete(oldest);
  }

  /**
   * Starts probing an address at a random time within the interval, so that a trunk of many addresses, or a starting
   * node, causes no burst.
   */
  #start(key: string, trunk: string, target: Target): WatchedAddress {
    const { clock, random, intervalMs } = this.#options;
    const watched: WatchedAddress = { trunk, target, usedAtMs: clock.nowMs(), startTimer: null, health: null };
    const [share = 0] = random(1);
    watched.startTimer = clock.setTimer(intervalMs * (0.2 + (0.8 * share) / 255), () => {
      watched.startTimer = null;
      watched.health = this.#watch(key, trunk, target);
    });
    return watched;
  }

  #watch(key: string, trunk: string, target: Target): PeerHealth | null {
    const { agent, logger, intervalMs } = this.#options;
    const [uri, from] = [`sip:${trunk}`, parseNameAddr(`<sip:va@${trunk}>`)];
    if (from === null) return null;
    const about = { trunk, peer: key };
    const blacklistMs = intervalMs + probeResultMs;
    let wasDown = false;
    return agent.watch(
      { uri, from, intervalMs, targets: async () => this.#targetsToProbe(key, target) },
      {
        onUp: () => {
          if (!wasDown) return;
          wasDown = false;
          agent.peers.succeeded(target);
          logger.info(about, 'trunk address recovered');
        },
        onDown: (reason) => {
          wasDown = true;
          agent.peers.failed(target, blacklistMs);
          logger.warn({ ...about, reason }, 'trunk address failed, other addresses are called first');
        },
        onStillDown: () => agent.peers.failed(target, blacklistMs),
      },
    );
  }

  #targetsToProbe(key: string, target: Target): readonly Target[] {
    this.#forget(this.#options.clock.nowMs());
    return this.#watched.has(key) ? [target] : [];
  }

  #forget(nowMs: number): void {
    for (const [key, each] of this.#watched) {
      if (this.#watched.size <= maxWatched && nowMs - each.usedAtMs < maxUnusedMs) return;
      stopProbing(each);
      this.#watched.delete(key);
    }
  }
}

const notProbed = { state: 'unknown', check: null, sinceMs: null } as const;

function stopProbing({ startTimer, health }: WatchedAddress): void {
  startTimer?.cancel();
  health?.stop();
}
