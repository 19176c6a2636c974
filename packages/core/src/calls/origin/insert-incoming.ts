import type { OrganizationRecord } from '../../domain/accounts/organization.ts';
import type { Call } from '../../domain/calls/call.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { type PassedLimit, passedLimit } from '../limits/limits.ts';
import { Refusal } from './refusal.ts';

/**
 * Inserts the record of a call that came in, also beyond the organization's limits. Returns the limit for which the
 * call has to be refused; null if there is none.
 *
 * @param known a limit that is known already
 */
export async function insertIncoming(
  storage: Storage,
  organization: OrganizationRecord,
  call: Call,
  { nodeId, known }: { readonly nodeId: string; readonly known: PassedLimit | null },
): Promise<PassedLimit | null> {
  const record = { ...call, node_id: nodeId, webhook_sequence: 0, reserved_seconds: null };
  const { id: orgId, minutes_balance, credit_balance, concurrency_limit } = organization;
  if (known !== null) {
    await storage.calls.insert(orgId, { ...record, end_reason: known.reason });
    return known;
  }
  if (minutes_balance === null && credit_balance === null && concurrency_limit === null) {
    await storage.calls.insert(orgId, record);
    return null;
  }
  return await storage.transaction(async (tx) => {
    const limit = await passedLimit(tx, orgId);
    await tx.calls.insert(orgId, { ...record, end_reason: limit?.reason ?? null });
    return limit;
  });
}

/** Returns the refusal of a call beyond a limit. */
export function limitRefusal({ reason, message }: PassedLimit): Refusal {
  return new Refusal(reason, message, reason === 'insufficient_credits' ? 'unavailable' : 'busy');
}
