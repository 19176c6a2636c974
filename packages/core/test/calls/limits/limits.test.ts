import { memory } from '@va/storage/memory';
import { sampleCall, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { callsLeft, passedLimit, usedUpBalance } from '../../../src/calls/limits/limits.ts';
import type { OrganizationRecord } from '../../../src/domain/accounts/organization.ts';
import type { CallRecord } from '../../../src/domain/calls/call.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { organizationOf, orgId, otherOrgId } from '../../operations/support.ts';

let storage: Storage;

beforeEach(async () => {
  storage = memory();
  for (const id of [orgId, otherOrgId]) await storage.organizations.insert(id, organizationOf(id, new VirtualClock()));
});

async function limited(changes: Partial<OrganizationRecord>, calls: Partial<CallRecord>[] = []): Promise<void> {
  await storage.organizations.update(orgId, orgId, changes);
  for (const call of calls) await storage.calls.insert(orgId, sampleCall(call));
}

describe('callsLeft', () => {
  const left = () => storage.transaction((tx) => callsLeft(tx, orgId));

  it('is infinite without a limit', async () => {
    await limited({}, [{ status: 'in-progress' }]);
    expect(await left()).toBe(Number.POSITIVE_INFINITY);
  });

  it('counts queued, connecting and answered calls of the organization', async () => {
    await limited({ concurrency_limit: 5 }, [
      { status: 'queued' },
      { status: 'connecting' },
      { status: 'in-progress' },
    ]);
    await storage.calls.insert(otherOrgId, sampleCall({ status: 'in-progress' }));
    expect(await left()).toBe(2);
  });

  it('does not count calls that have ended, or that were refused before their end was stored', async () => {
    await limited({ concurrency_limit: 5 }, [
      { status: 'ended', end_reason: 'user_hangup' },
      { status: 'failed', end_reason: 'busy' },
      { status: 'queued', end_reason: 'concurrency_limit_exceeded' },
    ]);
    expect(await left()).toBe(5);
  });

  it('is 0, and not negative, when the limit was lowered below the live calls', async () => {
    await limited({ concurrency_limit: 1 }, [{ status: 'in-progress' }, { status: 'in-progress' }]);
    expect(await left()).toBe(0);
  });

  it('names a used-up balance even if the concurrency limit allows more calls', async () => {
    await limited({ concurrency_limit: 5, minutes_balance: 0 });
    expect(await left()).toMatchObject({ reason: 'insufficient_credits' });
  });

  it('rejects for an organization that does not exist', async () => {
    await expect(storage.transaction((tx) => callsLeft(tx, 'nobody'))).rejects.toMatchObject({
      code: 'internal_error',
    });
  });
});

describe('passedLimit', () => {
  it('is null below the limit, and the concurrency limit at it', async () => {
    await limited({ concurrency_limit: 1 });
    expect(await storage.transaction((tx) => passedLimit(tx, orgId))).toBeNull();
    await storage.calls.insert(orgId, sampleCall({ status: 'queued' }));
    expect(await storage.transaction((tx) => passedLimit(tx, orgId))).toMatchObject({
      reason: 'concurrency_limit_exceeded',
    });
  });

  it('is the concurrency limit for an organization that may have no calls', async () => {
    await limited({ concurrency_limit: 0 });
    expect(await storage.transaction((tx) => passedLimit(tx, orgId))).toMatchObject({
      reason: 'concurrency_limit_exceeded',
    });
  });
});

describe('usedUpBalance', () => {
  it.each([
    ['no limits', { minutes_balance: null, credit_balance: null }, null],
    ['minutes and credit left', { minutes_balance: 0.01, credit_balance: 0.01 }, null],
    ['no minutes', { minutes_balance: 0, credit_balance: 5 }, 'The organization has no minutes left.'],
    ['overdrawn minutes', { minutes_balance: -2, credit_balance: null }, 'The organization has no minutes left.'],
    ['no credit', { minutes_balance: 5, credit_balance: 0 }, 'The organization has no credit left.'],
    ['overdrawn credit', { minutes_balance: null, credit_balance: -1 }, 'The organization has no credit left.'],
  ])('with %s', (_what, balances, message) => {
    expect(usedUpBalance(balances)?.message ?? null).toBe(message);
  });
});
