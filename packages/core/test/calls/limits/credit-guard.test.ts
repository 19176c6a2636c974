import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { CreditGuard, type CreditUser } from '../../../src/calls/limits/credit-guard.ts';
import type { BudgetStatus } from '../../../src/domain/costs/budget-level.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { untyped } from '../../support/untyped.ts';

/** A guard over one organization whose stored credit a test changes. */
function guarded(stored: { credit: number | null; fails?: boolean }) {
  const clock = new VirtualClock();
  let reads = 0;
  const get = async (): Promise<{ credit_balance: number | null }> => {
    reads += 1;
    if (stored.fails === true) throw new Error('the database is down');
    return { credit_balance: stored.credit };
  };
  const storage: Pick<Storage, 'organizations'> = untyped({ organizations: { get } });
  const guard = new CreditGuard({ storage, clock, logger: silentLogger });
  return { clock, guard, reads: () => reads };
}

function user(cost: number): CreditUser & { costs: number; readonly told: BudgetStatus[] } {
  const told: BudgetStatus[] = [];
  return {
    costs: cost,
    told,
    cost() {
      return this.costs;
    },
    onStatus: (status) => void told.push(status),
  };
}

describe('CreditGuard', () => {
  it('reports the warning and the end of the credit to each call once', async () => {
    const { clock, guard } = guarded({ credit: 10 });
    const [one, other] = [user(4), user(4)];
    guard.watch('org', one);
    guard.watch('org', other);
    await clock.advance(3_000);
    expect(one.told).toEqual([{ scope: 'organization', level: 'warning', cost: 8, limit: 10 }]);
    one.costs = 6;
    await clock.advance(3_000);
    expect([one.told.map(({ level }) => level), other.told.map(({ level }) => level)]).toEqual([
      ['warning', 'reached'],
      ['warning', 'reached'],
    ]);
  });

  it('reports nothing while the credit cannot be read', async () => {
    const stored = { credit: 10, fails: true };
    const { clock, guard } = guarded(stored);
    const only = user(20);
    guard.watch('org', only);
    await clock.advance(5_000);
    expect(only.told).toEqual([]);
    stored.fails = false;
    await clock.advance(1_000);
    expect(only.told.map(({ level }) => level)).toEqual(['warning', 'reached']);
  });

  it('reads the credit every 10 s, and stops when the last call has left', async () => {
    const { clock, guard, reads } = guarded({ credit: 10 });
    const unwatch = guard.watch('org', user(1));
    await clock.advance(30_500);
    expect(reads()).toBe(4);
    unwatch();
    unwatch();
    await clock.advance(60_000);
    expect(reads()).toBe(4);
  });

  it('reads the credit again when a call has left, because its cost was deducted', async () => {
    const stored = { credit: 10 };
    const { clock, guard } = guarded(stored);
    const [one, other] = [user(5), user(2)];
    const unwatch = guard.watch('org', one);
    guard.watch('org', other);
    await clock.advance(1_500);
    stored.credit = 5;
    unwatch();
    other.costs = 4.5;
    await clock.advance(1_000);
    expect(other.told).toEqual([{ scope: 'organization', level: 'warning', cost: 4.5, limit: 5 }]);
  });

  it('ignores organizations without a limit', async () => {
    const { clock, guard } = guarded({ credit: null });
    const only = user(1_000);
    guard.watch('org', only);
    await clock.advance(5_000);
    expect(only.told).toEqual([]);
  });
});
