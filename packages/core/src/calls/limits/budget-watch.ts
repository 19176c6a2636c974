import { roundCost } from '../../costs/round-cost.ts';
import type { Budget } from '../../domain/agents/budget.ts';
import type { BudgetStatus } from '../../domain/costs/budget-level.ts';
import type { Clock, Timer } from '../../ports/clock.ts';

/** Interval at which the cost of time is checked, which grows without events. */
const checkEveryMs = 1_000;

export interface BudgetWatchOptions {
  readonly budget: Pick<Budget, 'max_cost' | 'warn_at'>;
  /** Returns the cost of the call so far. */
  readonly cost: () => number;
  readonly onStatus: (status: BudgetStatus) => void;
  readonly clock: Clock;
}

/** Compares the cost of a live call with its budget: after each use of a provider, and every second. */
export class BudgetWatch {
  readonly #options: BudgetWatchOptions;
  #timer: Timer | null = null;
  #hasWarned = false;
  #isOver = false;

  constructor(options: BudgetWatchOptions) {
    this.#options = options;
    this.#arm();
  }

  /** Reports each level once. If no warning was reported before the budget is used up, it precedes `reached`. */
  check(): void {
    if (this.#isOver) return;
    const { budget, cost, onStatus } = this.#options;
    const status = { scope: 'call', cost: roundCost(cost()), limit: budget.max_cost } as const;
    if (!this.#hasWarned && status.cost >= roundCost(budget.max_cost * budget.warn_at)) {
      this.#hasWarned = true;
      onStatus({ ...status, level: 'warning' });
    }
    if (status.cost < budget.max_cost) return;
    this.stop();
    onStatus({ ...status, level: 'reached' });
  }

  stop(): void {
    this.#isOver = true;
    this.#timer?.cancel();
  }

  #arm(): void {
    this.#timer = this.#options.clock.setTimer(checkEveryMs, () => {
      this.check();
      if (!this.#isOver) this.#arm();
    });
  }
}
