import { roundCost } from '../../costs/round-cost.ts';
import type { BudgetStatus } from '../../domain/costs/budget-level.ts';
import { toError } from '../../errors.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Storage } from '../../ports/storage/storage.ts';

const checkEveryMs = 1_000;
/** Age after which the stored credit is read again: calls of other processes may have used it, or it was increased. */
const maxAgeMs = 10_000;
/** Share of the stored credit that live calls may use before they are warned. */
const warnAt = 0.8;

/** A consumer of an organization's credit: a call or a bridged caller. */
export interface CreditUser {
  /** Returns its cost so far, which no record contains yet. */
  cost(): number;
  /** Called once with `warning`, and then once with `reached`. */
  onStatus(status: BudgetStatus): void;
}

interface WatchedCredit {
  /** Users, each with the levels that were reported to it. */
  readonly users: Map<CreditUser, { hasWarned: boolean; hasEnded: boolean }>;
  timer: Timer | null;
  /** The stored credit, and when it was read; null if it has to be read. */
  balance: { readonly credit: number | null; readonly atMs: number } | null;
  isReading: boolean;
  /** Number of users that have left. A balance during whose reading a user left is not kept: it may lack their cost. */
  left: number;
}

interface CreditGuardDependencies {
  readonly storage: Pick<Storage, 'organizations'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Ends the calls of an organization when they have used up its credit. The calls of this process share the stored
 * credit. Calls of other processes count once they have ended, because only then is their cost stored. Before it ends
 * calls, the guard reads the credit again.
 */
export class CreditGuard {
  readonly #deps: CreditGuardDependencies;
  readonly #watched = new Map<string, WatchedCredit>();

  constructor(deps: CreditGuardDependencies) {
    this.#deps = deps;
  }

  /**
   * Watches a call or a bridged caller. Returns an idempotent function that stops the watch, to be called once the cost
   * of the call is stored.
   */
  watch(orgId: string, user: CreditUser): () => void {
    const watched = this.#watched.get(orgId) ?? newWatched();
    this.#watched.set(orgId, watched);
    watched.users.set(user, { hasWarned: false, hasEnded: false });
    if (watched.timer === null) void this.#check(orgId, watched);
    return () => {
      if (!watched.users.delete(user)) return;
      // The user's cost has been subtracted from the stored credit.
      watched.balance = null;
      watched.left += 1;
      if (watched.users.size > 0) return;
      watched.timer?.cancel();
      if (this.#watched.get(orgId) === watched) this.#watched.delete(orgId);
    };
  }

  async #check(orgId: string, watched: WatchedCredit): Promise<void> {
    watched.timer?.cancel();
    watched.timer = this.#deps.clock.setTimer(checkEveryMs, () => void this.#check(orgId, watched));
    if (watched.isReading) return;
    const credit = await this.#credit(orgId, watched, maxAgeMs);
    if (credit === null || used(watched) < credit * warnAt) return;
    if (used(watched) < credit) this.#report(watched, 'warning', credit);
    else {
      const latest = await this.#credit(orgId, watched, 0);
      if (latest !== null && used(watched) >= latest) this.#report(watched, 'reached', latest);
    }
  }

  /** Returns the stored credit; null without a limit, or if it could not be read. */
  async #credit(orgId: string, watched: WatchedCredit, notOlderThanMs: number): Promise<number | null> {
    const { storage, clock, logger } = this.#deps;
    const { balance, left } = watched;
    if (balance !== null && clock.nowMs() - balance.atMs < notOlderThanMs) return balance.credit;
    watched.isReading = true;
    try {
      const organization = await storage.organizations.get(orgId, orgId);
      const credit = organization?.credit_balance ?? null;
      if (watched.left === left) watched.balance = { credit, atMs: clock.nowMs() };
      return credit;
    } catch (thrown) {
      logger.warn({ err: toError(thrown), orgId }, 'failed to look up the remaining credit');
      return null;
    } finally {
      watched.isReading = false;
    }
  }

  #report(watched: WatchedCredit, level: BudgetStatus['level'], limit: number): void {
    const status = { scope: 'organization', cost: roundCost(used(watched)), limit } as const;
    for (const [user, told] of [...watched.users]) {
      if (!told.hasWarned) {
        told.hasWarned = true;
        user.onStatus({ ...status, level: 'warning' });
      }
      if (level !== 'reached' || told.hasEnded) continue;
      told.hasEnded = true;
      user.onStatus({ ...status, level });
    }
  }
}

function newWatched(): WatchedCredit {
  return { users: new Map(), timer: null, balance: null, isReading: false, left: 0 };
}

function used({ users }: WatchedCredit): number {
  return [...users.keys()].reduce((sum, user) => sum + user.cost(), 0);
}
