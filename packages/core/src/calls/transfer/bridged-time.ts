import { chargeCredit } from '../../costs/charge-credit.ts';
import { costFields } from '../../costs/cost-breakdown.ts';
import { minutesItems, minutesOf, type Pricing } from '../../costs/pricing.ts';
import type { Call } from '../../domain/calls/call.ts';
import type { Storage } from '../../ports/storage/storage.ts';

interface BridgedTimeDependencies {
  readonly storage: Storage;
  readonly pricing: Pricing | null;
}

/**
 * Adds the time of a bridged caller to the usage of the call and its cost, in one transaction. The rest of the record
 * stays that of the conversation with the agent.
 */
export async function storeBridgedTime(
  deps: BridgedTimeDependencies,
  orgId: string,
  call: Call,
  lastedMs: number,
): Promise<void> {
  const { storage, pricing } = deps;
  const bridgedSeconds = Math.round(lastedMs / 1_000);
  if (bridgedSeconds === 0) return;
  await storage.transaction(async (tx) => {
    const [log] = await tx.usageLogs.list(orgId, { where: { call_id: call.id }, limit: 1 });
    if (log === undefined) return;
    const durationSeconds = log.duration_seconds + bridgedSeconds;
    const minutesUsed = minutesOf(durationSeconds);
    // An analysis may add its usage at the same time.
    const stored = await tx.calls.lock(orgId, call.id);
    const others = (stored ?? log).cost_breakdown.filter(({ kind }) => kind !== 'call_minutes');
    const cost = costFields([...others, ...minutesItems({ ...call, duration_seconds: durationSeconds }, pricing)]);
    const changes = { duration_seconds: durationSeconds, minutes_used: minutesUsed, ...cost };
    await tx.usageLogs.update(orgId, log.id, changes);
    await tx.calls.update(orgId, call.id, cost);
    await tx.callStatistics.update(orgId, call.id, { duration_seconds: durationSeconds, cost: cost.cost });
    await chargeCredit(tx, orgId, (cost.cost ?? 0) - ((stored ?? log).cost ?? 0));
    await tx.organizations.increment(orgId, orgId, { minutes_balance: log.minutes_used - minutesUsed });
  });
}
