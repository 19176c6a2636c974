import { callsLeft, type PassedLimit } from '../../calls/limits/limits.ts';
import { trunkCallsLeft } from '../../calls/line/outbound-line.ts';
import type { Records } from '../../ports/storage/records.ts';
import type { DialContext } from './dial-contexts.ts';

export interface CallsLeft {
  readonly calls: number;
  /** The limit of an organization without minutes or credit; null if it may spend more. */
  readonly usedUp: PassedLimit | null;
}

/**
 * Returns how many more calls the organization and its trunk may have. It locks the organization when anything limits
 * them; campaign and leads are locked after that, in the same order everywhere. Without limits, the campaigns of an
 * organization do not wait for one another.
 */
export async function callsLeftFor(
  tx: Records,
  { organization, line }: Pick<DialContext, 'organization' | 'line'>,
): Promise<CallsLeft> {
  const { id: orgId, minutes_balance, credit_balance, concurrency_limit } = organization;
  const limits = [minutes_balance, credit_balance, concurrency_limit, line.trunk.max_concurrent_calls];
  if (limits.every((limit) => limit === null)) return { calls: Number.POSITIVE_INFINITY, usedUp: null };
  const left = await callsLeft(tx, orgId);
  if (typeof left !== 'number') return { calls: 0, usedUp: left };
  return { calls: Math.min(left, await trunkCallsLeft(tx, orgId, line.trunk)), usedUp: null };
}
