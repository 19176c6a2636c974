import type { Pricing } from '../../costs/pricing.ts';
import type { UsageMeter } from '../../costs/usage-meter.ts';
import type { Budget } from '../../domain/agents/budget.ts';
import type { BudgetStatus } from '../../domain/costs/budget-level.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { BudgetWatch } from './budget-watch.ts';
import type { CreditGuard } from './credit-guard.ts';

export interface CallBudgetsOptions {
  readonly orgId: string;
  /** Usage that the call's providers bill. */
  readonly meter: UsageMeter;
  readonly pricing: Pricing | null;
  /** Currency of the host's prices; null without prices. */
  readonly currency: string | null;
  readonly credit: Pick<CreditGuard, 'watch'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when a budget has reached a level. */
  readonly onStatus: (status: BudgetStatus) => void;
}

/** The budgets of one live call: its own, and the credit of its organization. */
export class CallBudgets {
  readonly #options: CallBudgetsOptions;
  #sinceMs = 0;
  /** Length of the call in milliseconds; null until it is over. */
  #lastedMs: number | null = null;
  #watch: BudgetWatch | null = null;
  #unwatchCredit: () => void = () => {};

  constructor(options: CallBudgetsOptions) {
    this.#options = options;
  }

  /** Starts the watch; called when the call is answered. */
  start(budget: Budget | null, hasCredit: boolean): void {
    const { orgId, meter, clock, logger, credit, currency } = this.#options;
    this.#sinceMs = clock.nowMs();
    if (budget !== null && currency === null) logger.warn({}, 'budget of a call has no effect without prices');
    const cost = (): number => this.#cost();
    const onStatus = (status: BudgetStatus): void => this.#report(status);
    if (budget !== null) {
      const watch = new BudgetWatch({ budget, cost, onStatus, clock });
      this.#watch = watch;
      meter.onAdded(() => watch.check());
      // Preparing the greeting may have cost more than the budget.
      watch.check();
    }
    if (hasCredit) this.#unwatchCredit = credit.watch(orgId, { cost, onStatus });
  }

  /** Stops the time-based cost and the watch of the call's own budget; called when the call is over. */
  callOver(): void {
    this.#lastedMs ??= this.#options.clock.nowMs() - this.#sinceMs;
    this.#watch?.stop();
  }

  /** Stops all watches; called once the cost of the call is stored. */
  stop(): void {
    this.#watch?.stop();
    this.#unwatchCredit();
  }

  #cost(): number {
    const { meter, pricing, clock } = this.#options;
    const lastedMs = this.#lastedMs ?? clock.nowMs() - this.#sinceMs;
    return meter.total + (lastedMs / 60_000) * (pricing?.perMinute ?? 0);
  }

  #report(status: BudgetStatus): void {
    const { logger, onStatus } = this.#options;
    logger.warn({ ...status }, status.level === 'reached' ? 'budget used up' : 'budget almost used up');
    onStatus(status);
  }
}
