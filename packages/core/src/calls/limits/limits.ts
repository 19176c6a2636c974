import { VaError } from '../../errors.ts';
import type { Records } from '../../ports/storage/records.ts';

/** Why an organization can have no more calls now. */
export interface PassedLimit {
  readonly reason: 'insufficient_credits' | 'concurrency_limit_exceeded';
  readonly message: string;
}

/** A call that is refused stands among the live ones until its end is stored; its reason tells that it is none. */
const live = { where: { status: { in: ['queued', 'connecting', 'in-progress'] as const }, end_reason: null } };

/**
 * Whether an organization can have one more call; null where it can. To be asked in the transaction that inserts the
 * call: from here to its end no other call of the organization is let in, so that the limits hold however many come at
 * once.
 */
export async function passedLimit(tx: Records, orgId: string): Promise<PassedLimit | null> {
  const left = await callsLeft(tx, orgId);
  if (typeof left !== 'number') return left;
  if (left > 0) return null;
  const message = 'The organization has as many calls going on as its limit lets.';
  return { reason: 'concurrency_limit_exceeded', message };
}

/**
 * The same for several calls: how many more it can have, `Infinity` where nothing limits them, or that it has no
 * minutes left.
 */
export async function callsLeft(tx: Records, orgId: string): Promise<number | PassedLimit> {
  const organization = await tx.organizations.lock(orgId, orgId);
  if (organization === null) throw new VaError('internal_error', `There is no organization ${orgId}.`);
  const { minutes_balance: balance, concurrency_limit: limit } = organization;
  if (balance !== null && balance <= 0) {
    return { reason: 'insufficient_credits', message: 'The organization has no minutes left.' };
  }
  return limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - (await tx.calls.count(orgId, live)));
}
