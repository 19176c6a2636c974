import { pause } from '../async/pause.ts';
import { settleLead } from '../campaigns/leads/record-call-end.ts';
import type { Call } from '../domain/call.ts';
import type { UsageLog } from '../domain/usage-log.ts';
import { toError, VaError } from '../errors.ts';
import { type RandomBytes, uuidv7 } from '../ids.ts';
import { transactionWithJobs } from '../jobs/transaction.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { JobQueue, NewJob } from '../ports/jobs.ts';
import type { Logger } from '../ports/logger.ts';
import type { Records } from '../ports/storage/records.ts';
import type { SqlClient, Storage } from '../ports/storage/storage.ts';
import type { CallWebhooks } from './call-webhooks.ts';

/** What the host charges for a call. */
export interface Pricing {
  /** ISO 4217 code. */
  readonly currency: string;
  readonly perMinute: number;
}

/**
 * Writes to the host's own tables in the transaction that ends a call: both are committed, or neither is.
 *
 * It MUST NOT have effects but through `client`, as it runs again after a conflict or a rollback, and MUST NOT write to the tables of
 * this service. It may take 5 seconds. When it throws, the end of the call is rolled back and tried again, for 50 seconds in all; the
 * last attempt ends the call without the hook and logs an error.
 *
 * @param call the final record, before its summary and analysis
 * @param context `client` runs statements in the transaction; null where the storage is no SQL database
 */
export type OnCallEnded = (
  call: Call,
  context: { readonly orgId: string; readonly client: SqlClient | null },
) => Promise<void>;

const hookTimeoutMs = 5_000;

interface Dependencies {
  readonly storage: Storage;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly pricing: Pricing | null;
  readonly logger: Logger;
  readonly onCallEnded?: OnCallEnded | undefined;
}

/** A database that restarts is there again by then. */
const retryDelaysMs = [200, 1_000, 4_000, 15_000, 30_000];

/** Null for a call that was never answered, and where there is no price. */
export function costOf(call: Call, pricing: Pricing | null): number | null {
  if (pricing === null || call.answered_at === null) return null;
  return Math.round(((call.duration_seconds ?? 0) / 60) * pricing.perMinute * 1e6) / 1e6;
}

/** What so many seconds take of an organization's minutes. */
export function minutesOf(seconds: number): number {
  return Math.round((seconds / 60) * 1e4) / 1e4;
}

/** What is still to be done after the end of a call. */
export interface Following {
  /** The report is among it. */
  readonly reportsLater: boolean;
  /** Stored with the end. A later report goes behind `after`. */
  jobs(after: string | null): readonly NewJob[];
}

/**
 * Stores the final record and, for a call that was answered, its usage and what is left of the organization's minutes, in one
 * transaction with the webhooks that tell of it and with what follows. False for a call that has its end already: it keeps it, and nobody is
 * told again.
 *
 * Tries again where the storage fails, for less than a minute. Never rejects: a call whose end could not be stored is found when the service
 * starts the next time.
 */
export async function storeEndedCall(
  deps: Dependencies,
  orgId: string,
  call: Call,
  webhooks: Pick<CallWebhooks, 'ended'>,
  following: Following,
): Promise<boolean> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      let isStored = false;
      const store = async (jobs: readonly NewJob[], after: string | null): Promise<boolean> => {
        const onCallEnded = attempt < retryDelaysMs.length ? deps.onCallEnded : undefined;
        isStored = await storeEnd({ ...deps, onCallEnded }, orgId, call, [...jobs, ...following.jobs(after)]);
        return isStored;
      };
      await webhooks.ended(call, store, following);
      return isStored;
    } catch (thrown) {
      const delayMs = retryDelaysMs[attempt];
      const fields = { err: toError(thrown), callId: call.id, delayMs };
      deps.logger.error(fields, 'the ended call could not be stored');
      if (delayMs === undefined) return false;
      await pause(delayMs, deps.clock);
    }
  }
}

async function storeEnd(deps: Dependencies, orgId: string, call: Call, jobs: readonly NewJob[]): Promise<boolean> {
  const { id, created_at: _, ...changes } = call;
  return await transactionWithJobs(deps, async (tx, sender) => {
    const live = { status: { in: ['queued', 'connecting', 'in-progress'] as const } };
    if ((await tx.calls.update(orgId, id, { ...changes, node_id: null }, live)) === null) return false;
    await sender.send(jobs);
    if (call.answered_at !== null) {
      const log = usageLogOf(call, deps);
      await tx.usageLogs.insert(orgId, log);
      await tx.organizations.increment(orgId, orgId, { minutes_balance: -log.minutes_used });
    }
    await settleLead(tx, orgId, call);
    await runHook(deps, tx, orgId, call);
    return true;
  });
}

async function runHook(
  { onCallEnded, storage, clock }: Dependencies,
  tx: Records,
  orgId: string,
  call: Call,
): Promise<void> {
  if (onCallEnded === undefined) return;
  const client = storage.sqlClient?.(tx) ?? null;
  let timer: Timer | null = null;
  const late = new Promise<never>((_, reject) => {
    const error = new VaError('hook_timeout', `onCallEnded took more than ${hookTimeoutMs} ms.`);
    timer = clock.setTimer(hookTimeoutMs, () => reject(error));
  });
  try {
    await Promise.race([onCallEnded(call, { orgId, client }), late]);
  } finally {
    (timer as Timer | null)?.cancel();
  }
}

/** Stores that a call is answered, with the webhook that tells of it. */
export async function storeAnswer(
  deps: Pick<Dependencies, 'storage' | 'jobs'>,
  orgId: string,
  call: Call,
  jobs: readonly NewJob[],
): Promise<boolean> {
  const { id, created_at: _, ...changes } = call;
  return await transactionWithJobs(deps, async (tx, sender) => {
    const stored = await tx.calls.update(orgId, id, changes, { status: 'connecting' });
    if (stored !== null) await sender.send(jobs);
    return stored !== null;
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
    minutes_used: minutesOf(durationSeconds),
    cost: call.cost,
    currency: pricing?.currency ?? null,
    created_at: call.ended_at ?? call.updated_at,
  };
}
