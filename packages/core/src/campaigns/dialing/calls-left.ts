import { callsLeft } from '../../calls/limits/limits.ts';
import { trunkCallsLeft } from '../../calls/line/outbound-line.ts';
import type { Records } from '../../ports/storage/records.ts';
import type { DialContext } from './dial-contexts.ts';

/**
 * Returns how many more calls the organization and its trunk may have. It locks the organization when anything limits
 * them; campaign and leads are locked after that, in the same order everywhere. Without limits, the campaigns of an
 * organization do not wait for one another.
 */
export async function callsLeftFor(
  tx: Records,
  { organization, line }: Pick<DialContext, 'organization' | 'line'>,
): Promise<{ readonly calls: number; readonly hasNoMinutes: boolean }> {
  const { id: orgId, minutes_balance: balance, concurrency_limit: limit } = organization;
  if (balance === null && limit === null && line.trunk.max_concurrent_calls === null) {
    return { calls: Number.POSITIVE_INFINITY, hasNoMinutes: false };
  }
  const left = await callsLeft(tx, orgId);
  if (typeof left !== 'number') return { calls: 0, hasNoMinutes: true };
  return { calls: Math.min(left, await trunkCallsLeft(tx, orgId, line.trunk)), hasNoMinutes: false };
}
