import type { PublishableKeyRecord } from '../../domain/accounts/publishable-key.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Records } from '../../ports/storage/records.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Minimum duration that must be left for a call; otherwise it is refused. */
const shortestCallSeconds = 30;

type LimitedKey = Pick<PublishableKeyRecord, 'id' | 'minutes_per_day' | 'max_call_seconds' | 'calls_per_minute'>;

const live = { status: { in: ['queued', 'connecting', 'in-progress'] as const }, end_reason: null };

/**
 * Returns the longest duration of another call with the key, in seconds; 0 if its minutes are used up. Counts the
 * conversations of the last 24 hours, and calls in progress with the duration that is reserved for them. For a
 * reservation, the organization MUST be locked until the call is inserted.
 */
export async function reservableSeconds(tx: Records, orgId: string, key: LimitedKey, clock: Clock): Promise<number> {
  const of = { publishable_key_id: key.id };
  const since = new Date(clock.wallMs() - dayMs).toISOString();
  const { duration_seconds: used } = await tx.usageLogs.sum(orgId, ['duration_seconds'], {
    where: { ...of, created_at: { gte: since } },
  });
  const { reserved_seconds: reserved } = await tx.calls.sum(orgId, ['reserved_seconds'], { where: { ...of, ...live } });
  const left = key.minutes_per_day * 60 - used - reserved;
  return left < shortestCallSeconds ? 0 : Math.min(left, key.max_call_seconds);
}

/** Returns true if the key's calls of the last minute reach the limit. Unused tokens of the last minute count, too. */
export async function hasTooManyCalls(tx: Records, orgId: string, key: LimitedKey, clock: Clock): Promise<boolean> {
  const since = new Date(clock.wallMs() - minuteMs).toISOString();
  const recent = { where: { publishable_key_id: key.id, created_at: { gte: since } } };
  const allowed = await tx.webCallGrants.count(orgId, recent);
  if (allowed >= key.calls_per_minute) return true;
  return allowed + (await tx.calls.count(orgId, recent)) >= key.calls_per_minute;
}

export function minutesUsedUp({ minutes_per_day: minutes }: LimitedKey): string {
  return `The publishable key has used its ${minutes} minutes of the last 24 hours, calls in progress included.`;
}
