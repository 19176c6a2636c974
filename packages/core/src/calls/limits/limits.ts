import type { OrganizationRecord } from '../../domain/accounts/organization.ts';
import { VaError } from '../../errors.ts';
import type { Records } from '../../ports/storage/records.ts';

/** The limit that keeps an organization from another call. */
export interface PassedLimit {
  readonly reason: 'insufficient_credits' | 'concurrency_limit_exceeded';
  readonly message: string;
}

/** Live calls. A refused call has a live status until its end is stored; its end reason excludes it. */
const live = { where: { status: { in: ['queued', 'connecting', 'in-progress'] as const }, end_reason: null } };

/**
 * Returns the limit that keeps an organization from one more call; null if it may have one. Must run in the transaction
 * that inserts the call: it locks the organization until the commit, so that concurrent calls cannot pass the limit
 * together.
 */
export async function passedLimit(tx: Records, orgId: string): Promise<PassedLimit | null> {
  const left = await callsLeft(tx, orgId);
  if (typeof left !== 'number') return left;
  if (left > 0) return null;
  const message = 'The organization has reached its limit of concurrent calls.';
  return { reason: 'concurrency_limit_exceeded', message };
}

/**
 * Returns how many more calls an organization may have, `Infinity` without a limit, or the limit if no minutes or no
 * credit are left. Locks like `passedLimit`.
 */
export async function callsLeft(tx: Records, orgId: string): Promise<number | PassedLimit> {
  const organization = await tx.organizations.lock(orgId, orgId);
  if (organization === null) throw new VaError('internal_error', `There is no organization ${orgId}.`);
  const usedUp = usedUpBalance(organization);
  if (usedUp !== null) return usedUp;
  const { concurrency_limit: limit } = organization;
  return limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - (await tx.calls.count(orgId, live)));
}

/** Returns the limit of an organization without minutes or credit; null if it may spend more. */
export function usedUpBalance(
  organization: Pick<OrganizationRecord, 'minutes_balance' | 'credit_balance'>,
): PassedLimit | null {
  const { minutes_balance: balance, credit_balance: credit } = organization;
  if (balance !== null && balance <= 0) {
    return { reason: 'insufficient_credits', message: 'The organization has no minutes left.' };
  }
  if (credit !== null && credit <= 0) {
    return { reason: 'insufficient_credits', message: 'The organization has no credit left.' };
  }
  return null;
}
