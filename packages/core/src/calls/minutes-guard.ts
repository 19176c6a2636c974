import { toError } from '../errors.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** How soon calls that another process has answered are seen to use the same minutes. */
const sharedLookMs = 10_000;
const retryMs = 5_000;
const shortestLookMs = 50;
const maxCalls = 10_000;

/** What ends a call for which there are no minutes left. */
export type EndCall = () => void;

interface Watched {
  readonly calls: Set<EndCall>;
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
 * Ends an organization's calls when its minutes run out. What is left is shared by all of its calls that go on: one look tells when that will
 * be, each call that begins or ends is a reason for the next, and then it is looked once more, as minutes may have been bought meanwhile.
 */
export class MinutesGuard {
  readonly #deps: Dependencies;
  readonly #watched = new Map<string, Watched>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Watches an answered call that is stored as such; what is returned ends that. */
  watch(orgId: string, end: EndCall): () => void {
    const watched = this.#watched.get(orgId) ?? { calls: new Set(), timer: null, look: 0 };
    this.#watched.set(orgId, watched);
    watched.calls.add(end);
    void this.#look(orgId, watched);
    return () => {
      watched.calls.delete(end);
      if (watched.calls.size > 0) void this.#look(orgId, watched);
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
      const leftMs = await this.#leftMs(orgId);
      if (look !== watched.look) return;
      if (leftMs !== null && leftMs <= 0) {
        for (const end of [...watched.calls]) end();
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

  /** How long the calls that go on can still go on, all of them together; null without an end. */
  async #leftMs(orgId: string): Promise<number | null> {
    const { storage, clock } = this.#deps;
    const organization = await storage.organizations.get(orgId, orgId);
    if (organization === null || organization.minutes_balance === null) return null;
    const calls = await storage.calls.list(orgId, { where: { status: 'in-progress' }, limit: maxCalls });
    const nowMs = clock.wallMs();
    const usedMs = calls.reduce((sum, { answered_at: at }) => sum + (at === null ? 0 : nowMs - Date.parse(at)), 0);
    return Math.ceil((organization.minutes_balance * 60_000 - usedMs) / Math.max(1, calls.length));
  }
}
