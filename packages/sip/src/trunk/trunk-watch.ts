import type { Clock, Logger, RandomBytes, Timer } from '@va/core';
import { parseNameAddr } from '../message/name-addr.ts';
import { targetKey } from '../resolve/blacklist.ts';
import type { Target } from '../transport/transport-layer.ts';
import type { UserAgent } from '../user-agent.ts';
import type { PeerHealth } from './peer-health.ts';

/** An address that calls go out to, and whether it answers. */
export interface SipPeer extends Target {
  /** The host of the trunk, as it is written there. */
  readonly trunk: string;
  /** `unknown` until it has answered once, or has failed to twice. */
  readonly state: 'unknown' | 'up' | 'down';
}

export interface TrunkWatchOptions {
  readonly agent: Pick<UserAgent, 'watch' | 'peers'>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
  readonly intervalMs: number;
}

interface Watched {
  readonly trunk: string;
  readonly target: Target;
  usedAtMs: number;
  begin: Timer | null;
  health: PeerHealth | null;
}

/** An address that no call went out to for so long is asked no more. */
const unusedMs = 3_600_000;
const maxWatched = 256;
/** By then it is known what came of the next question: whoever is down stays so until that. */
const answerMs = 10_000;

/**
 * Asks the addresses that calls go out to whether they are there, each by one watch whatever number of trunks and calls
 * has it. One that does not answer is called last, before any call has to find that out.
 * @see RFC 3261 §11
 */
export class TrunkWatch {
  readonly #options: TrunkWatchOptions;
  /** The one that was used longest ago comes first. */
  readonly #watched = new Map<string, Watched>();

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

  /** A call goes out to a trunk that has these addresses. */
  use(trunk: string, targets: readonly Target[]): void {
    const nowMs = this.#options.clock.nowMs();
    for (const target of targets) {
      const key = targetKey(target);
      const known = this.#watched.get(key);
      this.#watched.delete(key);
      this.#watched.set(key, known ?? this.#begin(key, trunk, target));
      if (known !== undefined) known.usedAtMs = nowMs;
    }
    this.#forget(nowMs);
  }

  close(): void {
    for (const each of this.#watched.values()) end(each);
    this.#watched.clear();
  }

  /** Begins somewhere within the interval: a trunk of many addresses, or a node that starts, is no burst. */
  #begin(key: string, trunk: string, target: Target): Watched {
    const { clock, random, intervalMs } = this.#options;
    const watched: Watched = { trunk, target, usedAtMs: clock.nowMs(), begin: null, health: null };
    const [share = 0] = random(1);
    watched.begin = clock.setTimer(intervalMs * (0.2 + (0.8 * share) / 255), () => {
      watched.begin = null;
      watched.health = this.#watch(key, trunk, target);
    });
    return watched;
  }

  #watch(key: string, trunk: string, target: Target): PeerHealth | null {
    const { agent, logger, intervalMs } = this.#options;
    const [uri, from] = [`sip:${trunk}`, parseNameAddr(`<sip:va@${trunk}>`)];
    if (from === null) return null;
    const about = { trunk, peer: key };
    const keepOutMs = intervalMs + answerMs;
    let wasDown = false;
    return agent.watch(
      { uri, from, intervalMs, targets: async () => this.#wanted(key, target) },
      {
        onUp: () => {
          if (!wasDown) return;
          wasDown = false;
          agent.peers.succeeded(target);
          logger.info(about, 'an address of a trunk answers again');
        },
        onDown: (reason) => {
          wasDown = true;
          agent.peers.failed(target, keepOutMs);
          logger.warn({ ...about, reason }, 'an address of a trunk does not answer: others are called first');
        },
        onStillDown: () => agent.peers.failed(target, keepOutMs),
      },
    );
  }

  #wanted(key: string, target: Target): readonly Target[] {
    this.#forget(this.#options.clock.nowMs());
    return this.#watched.has(key) ? [target] : [];
  }

  #forget(nowMs: number): void {
    for (const [key, each] of this.#watched) {
      if (this.#watched.size <= maxWatched && nowMs - each.usedAtMs < unusedMs) return;
      end(each);
      this.#watched.delete(key);
    }
  }
}

function end({ begin, health }: Watched): void {
  begin?.cancel();
  health?.stop();
}
