import type { Call } from '../domain/call.ts';
import type { UsageLog } from '../domain/usage-log.ts';
import { type RandomBytes, uuidv7 } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** What the host charges for a call. */
export interface Pricing {
  /** ISO 4217 code. */
  readonly currency: string;
  readonly perMinute: number;
}

interface Dependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly pricing: Pricing | null;
}

/** Null for a call that was never answered, and where there is no price. */
export function costOf(call: Call, pricing: Pricing | null): number | null {
  if (pricing === null || call.answered_at === null) return null;
  return Math.round(((call.duration_seconds ?? 0) / 60) * pricing.perMinute * 1e6) / 1e6;
}

/**
 * Stores the final record and, for a call that was answered, its usage and what is left of the organization's minutes, in one
 * transaction. A call that has its end already keeps it.
 */
export async function storeEndedCall(deps: Dependencies, orgId: string, call: Call): Promise<void> {
  const { id, created_at: _, ...changes } = call;
  await deps.storage.transaction(async (tx) => {
    const live = { status: { in: ['queued', 'connecting', 'in-progress'] as const } };
    const stored = await tx.calls.update(orgId, id, changes, live);
    if (stored === null || call.answered_at === null) return;
    const log = usageLogOf(call, deps);
    await tx.usageLogs.insert(orgId, log);
    await tx.organizations.increment(orgId, orgId, { minutes_balance: -log.minutes_used });
  });
}

function usageLogOf(call: Call, { clock, random, pricing }: Dependencies): UsageLog {
  const durationSeconds = call.duration_seconds ?? 0;
  return {
    id: uuidv7(clock, random),
    call_id: call.id,
    agent_id: call.agent_id,
    agent_name: call.agent_name,
    business_name: call.business_name,
    phone_number: call.phone_number,
    call_type: call.direction === 'web' ? 'web' : 'phone',
    direction: call.direction,
    duration_seconds: durationSeconds,
    minutes_used: Math.round((durationSeconds / 60) * 1e4) / 1e4,
    cost: call.cost,
    currency: pricing?.currency ?? null,
    created_at: call.ended_at ?? call.updated_at,
  };
}
