import { toError } from '../../errors.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Storage } from '../../ports/storage/storage.ts';

/** How soon calls that another process has answered are seen to use the same minutes. */
const sharedLookMs = 10_000;
const retryMs = 5_000;
const shortestLookMs = 50;
const maxCalls = 10_000;

/** What uses minutes. */
export interface MinutesUser {
  /** Ends it, as there are none left. */
  end(): void;
  /** What it has used that no record tells of, in milliseconds: a call's own is known from its record. */
  unrecordedMs?(): number;
}

interface Watched {
  readonly users: Set<MinutesUser>;
  timer: Timer | null;
  /** Of looks that cross, the last one counts. */
  look: number;
}

interface Dependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Ends an organization's calls when its minutes run out. What is left is shared by all of its calls that go on: one
 * look tells when that will be, each call that begins or ends is a reason for the next, and then it is looked once
 * more, as minutes may have been bought meanwhile.
 */
export class MinutesGuard {
  readonly #deps: Dependencies;
  readonly #watched = new Map<string, Watched>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Watches an answered call that is stored as such, or a caller who was connected with somebody; what is returned ends
   * that.
   */
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

  #forget(orgId: string, watched: Watched): void {
    watched.timer?.cancel();
    watched.look += 1;
    if (this.#watched.get(orgId) === watched) this.#watched.delete(orgId);
  }

  async #look(orgId: string, watched: Watched): Promise<void> {
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
      logger.warn({ err: toError(thrown), orgId }, 'the minutes that are left could not be looked up');
    }
    if (look !== watched.look) return;
    watched.timer?.cancel();
    watched.timer = nextMs === null ? null : clock.setTimer(nextMs, () => void this.#look(orgId, watched));
  }

  /** How long what goes on can still go on, all of it together; null without an end. */
  async #leftMs(orgId: string, { users }: Watched): Promise<number | null> {
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
