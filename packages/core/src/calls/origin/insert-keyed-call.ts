import type { PublishableKeyRecord } from '../../domain/accounts/publishable-key.ts';
import type { Call } from '../../domain/calls/call.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { type PassedLimit, passedLimit } from '../limits/limits.ts';
import { minutesUsedUp, reservableSeconds } from '../limits/publishable-key-limits.ts';

/** The start of a call with a publishable key: its longest duration, or the limit for which it has to be refused. */
export type KeyedCallStart = { readonly maxSeconds: number } | { readonly limit: PassedLimit };

/**
 * Inserts the record of a call with a publishable key and reserves its longest duration, which counts as used until the
 * call ends. Also inserts calls that have to be refused.
 *
 * @param known a limit that is known already
 */
export async function insertKeyedCall(
  storage: Storage,
  orgId: string,
  call: Call,
  context: {
    readonly key: PublishableKeyRecord;
    readonly maxSeconds: number;
    readonly nodeId: string;
    readonly known: PassedLimit | null;
    readonly clock: Clock;
  },
): Promise<KeyedCallStart> {
  const { key, nodeId, known, clock } = context;
  return await storage.transaction(async (tx) => {
    // Locks the organization, so that concurrent calls cannot reserve the same minutes.
    const passed = known ?? (await passedLimit(tx, orgId));
    const left = passed === null ? await reservableSeconds(tx, orgId, key, clock) : 0;
    const limit = passed ?? (left === 0 ? usedUp(key) : null);
    const maxSeconds = Math.min(left, context.maxSeconds);
    const reserved_seconds = limit === null ? maxSeconds : null;
    const end_reason = limit?.reason ?? null;
    await tx.calls.insert(orgId, { ...call, node_id: nodeId, webhook_sequence: 0, reserved_seconds, end_reason });
    return limit === null ? { maxSeconds } : { limit };
  });
}

function usedUp(key: PublishableKeyRecord): PassedLimit {
  return { reason: 'insufficient_credits', message: minutesUsedUp(key) };
}
