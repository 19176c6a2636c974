import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it, vi } from 'vitest';
import { CallBudgets } from '../../../src/calls/limits/call-budgets.ts';
import type { CreditUser } from '../../../src/calls/limits/credit-guard.ts';
import type { UsageMeter } from '../../../src/costs/usage-meter.ts';
import type { Budget } from '../../../src/domain/agents/budget.ts';
import type { BudgetStatus } from '../../../src/domain/costs/budget-level.ts';
import { untyped } from '../../support/untyped.ts';

const budget: Budget = { max_cost: 1, warn_at: 0.5, message: null };

/** The budgets of a call at 0.60 a minute; `spend` adds usage of a provider. */
function budgeted(options: { currency?: string | null } = {}) {
  const clock = new VirtualClock();
  const told: BudgetStatus[] = [];
  const warn = vi.fn();
  const unwatch = vi.fn();
  let user: CreditUser | null = null;
  let onAdded = (): void => {};
  const meter = {
    total: 0,
    onAdded(listener: () => void): void {
      onAdded = listener;
    },
  };
  const metered: UsageMeter = untyped(meter);
  const budgets = new CallBudgets({
    orgId: 'org',
    meter: metered,
    pricing: { currency: 'EUR', perMinute: 0.6 },
    currency: 'EUR',
    credit: {
      watch: (_orgId, watched) => {
        user = watched;
        return unwatch;
      },
    },
    clock,
    logger: { ...silentLogger, warn },
    onStatus: (status) => told.push(status),
    ...options,
  });
  const spend = (cost: number): void => {
    meter.total += cost;
    onAdded();
  };
  return { clock, told, warn, unwatch, budgets, spend, user: () => user };
}

describe('CallBudgets', () => {
  it('reports the warning and the end of the budget as providers are used', () => {
    const { told, budgets, spend } = budgeted();
    budgets.start(budget, false);
    spend(0.4);
    expect(told).toEqual([]);
    spend(0.1);
    spend(0.5);
    expect(told).toEqual([
      { scope: 'call', level: 'warning', cost: 0.5, limit: 1 },
      { scope: 'call', level: 'reached', cost: 1, limit: 1 },
    ]);
  });

  it('counts what was used before the answer', () => {
    const { told, budgets, spend } = budgeted();
    spend(2);
    budgets.start(budget, false);
    expect(told.map(({ level }) => level)).toEqual(['warning', 'reached']);
  });

  it('counts the price of the time since the answer', async () => {
    const { clock, told, budgets } = budgeted();
    await clock.advance(60_000);
    budgets.start(budget, false);
    await clock.advance(49_000);
    expect(told).toEqual([]);
    await clock.advance(51_000);
    expect(told.map(({ level, cost }) => [level, cost])).toEqual([
      ['warning', 0.5],
      ['reached', 1],
    ]);
    expect(clock.pending).toBe(0);
  });

  it('reports nothing of its own budget once the call is over', async () => {
    const { clock, told, budgets, spend } = budgeted();
    budgets.start(budget, false);
    budgets.callOver();
    spend(5);
    await clock.advance(600_000);
    expect(told).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('shares the cost with the credit of its organization until the cost is stored', async () => {
    const { clock, budgets, spend, user, unwatch } = budgeted();
    budgets.start(null, true);
    spend(0.25);
    await clock.advance(60_000);
    expect(user()?.cost()).toBeCloseTo(0.85);
    budgets.callOver();
    await clock.advance(60_000);
    expect(user()?.cost()).toBeCloseTo(0.85);
    expect(unwatch).not.toHaveBeenCalled();
    budgets.stop();
    expect(unwatch).toHaveBeenCalledOnce();
  });

  it('does not watch the credit of an organization without a limit', () => {
    const { budgets, user } = budgeted();
    budgets.start(budget, false);
    expect(user()).toBeNull();
    budgets.stop();
  });

  it('passes on and logs what the credit of the organization reports', () => {
    const { told, warn, budgets, user } = budgeted();
    budgets.start(null, true);
    const status: BudgetStatus = { scope: 'organization', level: 'reached', cost: 3, limit: 3 };
    user()?.onStatus(status);
    expect(told).toEqual([status]);
    expect(warn).toHaveBeenCalledExactlyOnceWith({ ...status }, 'budget used up');
    budgets.stop();
  });

  it.each([
    ['a budget', budget, 1],
    ['no budget', null, 0],
  ])('logs that %s without prices has no effect only if there is one', (_what, given, count) => {
    const { warn, budgets } = budgeted({ currency: null });
    budgets.start(given, false);
    expect(warn).toHaveBeenCalledTimes(count);
    budgets.stop();
  });
});
