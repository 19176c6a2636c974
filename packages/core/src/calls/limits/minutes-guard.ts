import { toError } from '../../errors.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Storage } from '../../ports/storage/storage.ts';

/**
 * Maximum interval between checks if other processes share the storage: calls that they answer use the same minutes.
 */
const sharedLookMs = 10_000;
const retryMs = 5_000;
const shortestLookMs = 50;
const maxCalls = 10_000;

/** A consumer of an organization's minutes: a call or a bridged caller. */
export interface MinutesUser {
  /** Ends the call, because no minutes are left. */
  end(): void;
  /** Returns used time that no record contains yet, in milliseconds. */
  unrecordedMs?(): number;
}

interface WatchedMinutes {
  readonly users: Set<MinutesUser>;
  timer: Timer | null;
  /** Number of the latest check; the results of older ones are ignored. */
  look: number;
}

interface MinutesGuardDependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Ends an organization's calls when its minutes run out. All live calls share the remaining minutes: a check computes
 * when they run out, each start or end of a call triggers the next check, and a final check before the end covers
 * minutes bought meanwhile.
 */
export class MinutesGuard {
  readonly #deps: MinutesGuardDependencies;
  readonly #watched = new Map<string, WatchedMinutes>();

  constructor(deps: MinutesGuardDependencies) {
    this.#deps = deps;
  }

  /** Watches an answered call whose answer is stored, or a bridged caller. Returns a function that stops watching. */
  watch(orgId: string, user: MinutesUser): () => void {
    const watched = this.#watched.get(orgId) ?? { users: new Set(), timer: null, look: 0 };
    this.#watched.set(orgId, watched);
    watched.users.add(user);
    void this.#look(orgId, watched);
    return () => {
      watched.users.delete(user);
      if (watched.users.size > 0) void this.#look(orgId, watched);
      else this.#forget(orgId, watched);
    };
  }

  #forget(orgId: string, watched: WatchedMinutes): void {
    watched.timer?.cancel();
    watched.look += 1;
    if (this.#watched.get(orgId) === watched) this.#watched.delete(orgId);
  }

  async #look(orgId: string, watched: WatchedMinutes): Promise<void> {
    const { clock, logger, storage } = this.#deps;
    watched.look += 1;
    const { look } = watched;
    let nextMs: number | null = retryMs;
    try {
      const leftMs = await this.#leftMs(orgId, watched);
      if (look !== watched.look) return;
      if (leftMs !== null && leftMs <= 0) {
        for (const user of [...watched.users]) user.end();
        return;
      }
      const longestMs = storage.capabilities.shared ? sharedLookMs : Number.POSITIVE_INFINITY;
      nextMs = leftMs === null ? null : Math.max(shortestLookMs, Math.min(leftMs, longestMs));
    } catch (thrown) {
      logger.warn({ err: toError(thrown), orgId }, 'failed to look up the remaining minutes');
    }
    if (look !== watched.look) return;
    watched.timer?.cancel();
    watched.timer = nextMs === null ? null : clock.setTimer(nextMs, () => void this.#look(orgId, watched));
  }

  /** Returns how long all watched consumers together can continue, in milliseconds; null without a limit. */
  async #leftMs(orgId: string, { users }: WatchedMinutes): Promise<number | null> {
    const { storage, clock } = this.#deps;
    const organization = await storage.organizations.get(orgId, orgId);
    if (organization === null || organization.minutes_balance === null) return null;
    const calls = await storage.calls.list(orgId, { where: { status: 'in-progress' }, limit: maxCalls });
    const nowMs = clock.wallMs();
    const recordedMs = calls.map(({ answered_at: at }) => (at === null ? 0 : nowMs - Date.parse(at)));
    const unrecordedMs = [...users].flatMap((user) => user.unrecordedMs?.() ?? []);
    const using = [...recordedMs, ...unrecordedMs];
    const usedMs = using.reduce((sum, each) => sum + each, 0);
    return Math.ceil((organization.minutes_balance * 60_000 - usedMs) / Math.max(1, using.length));
  }
}
