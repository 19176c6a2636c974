import { pause } from '../../async/pause.ts';
import { chargeCredit } from '../../costs/charge-credit.ts';
import type { PriceList } from '../../costs/price-list.ts';
import { minutesOf } from '../../costs/pricing.ts';
import type { Call } from '../../domain/calls/call.ts';
import type { UsageLog } from '../../domain/calls/usage-log.ts';
import { toError, VaError } from '../../errors.ts';
import { type RandomBytes, uuidv7 } from '../../ids.ts';
import { transactionWithJobs } from '../../jobs/transaction.ts';
import { recordLeadOutcome } from '../../leads/record-lead-outcome.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { JobQueue, NewJob } from '../../ports/jobs.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Records } from '../../ports/storage/records.ts';
import type { SqlClient, Storage } from '../../ports/storage/storage.ts';
import type { WebhookOutbox } from '../../webhooks/outbox.ts';
import type { Assistant } from '../assistant.ts';
import type { ReportPlan } from '../webhooks/call-report.ts';
import type { CallWebhooks } from '../webhooks/call-webhooks.ts';
import { insertStatistics } from './call-statistics.ts';

/**
 * Writes to the host's own tables in the transaction that ends a call: both commit, or neither does.
 *
 * The hook MUST NOT have effects other than through `client`, because it runs again after a conflict or a rollback, and
 * MUST NOT write to the tables of this service. It has 5 seconds. If it throws, the end of the call is rolled back and
 * retried for 50 seconds; the last attempt ends the call without the hook and logs an error.
 *
 * @param call the final record, before its summary and analysis
 * @param context `client` runs statements in the transaction; null if the storage is not an SQL database
 */
export type OnCallEnded = (
  call: Call,
  context: { readonly orgId: string; readonly client: SqlClient | null },
) => Promise<void>;

const hookTimeoutMs = 5_000;

interface CallEndDependencies {
  readonly storage: Storage;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly prices: Pick<PriceList, 'currency'>;
  readonly logger: Logger;
  readonly outbox: Pick<WebhookOutbox, 'prepare'>;
  readonly onCallEnded?: OnCallEnded | undefined;
}

/** Long enough for a database to restart. */
const retryDelaysMs = [200, 1_000, 4_000, 15_000, 30_000];

/** The webhooks that report the end of a call. */
export type EndWebhooks = Pick<CallWebhooks, 'ended'>;

/** No webhooks, for a call whose end is not reported. */
export const noWebhooks: EndWebhooks = { ended: () => [] };

/** A call that has ended, before its end is stored. */
export interface EndedCall {
  readonly orgId: string;
  readonly call: Call;
  /** Null if there was no conversation. */
  readonly assistant: Assistant | null;
  readonly report: ReportPlan | null;
}

/** Work that remains after the end of a call. */
export interface PostCallPlan {
  /** The record to store. */
  readonly call: Call;
  /** True if the report is sent by a later job. */
  readonly reportsLater: boolean;
  /** Jobs to be stored with the end. */
  readonly jobs: readonly NewJob[];
  /** Starts the work. To be called after the commit. */
  begin(): void;
}

/**
 * Stores the end of a call in one transaction: the final record, its statistics, the webhooks and jobs that follow from
 * it, the outcome for its lead, and, if the call was answered, its usage and the organization's remaining minutes. The
 * cost of any call is subtracted from the organization's credit. Returns false if nothing was stored: the call has
 * ended already, or the storage failed in all attempts.
 *
 * Retries for up to 50 s while the storage fails. Never rejects: a call whose end could not be stored is found at the
 * next start of the service.
 */
export async function storeEndedCall(
  deps: CallEndDependencies,
  orgId: string,
  call: Call,
  webhooks: EndWebhooks,
  plan: Pick<PostCallPlan, 'reportsLater' | 'jobs'>,
): Promise<boolean> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const onCallEnded = attempt < retryDelaysMs.length ? deps.onCallEnded : undefined;
      return await storeEnd({ ...deps, onCallEnded }, orgId, call, webhooks, plan);
    } catch (thrown) {
      const delayMs = retryDelaysMs[attempt];
      const fields = { err: toError(thrown), callId: call.id, delayMs };
      deps.logger.error(fields, 'failed to store the end of a call');
      if (delayMs === undefined) return false;
      await pause(delayMs, deps.clock);
    }
  }
}

async function storeEnd(
  deps: CallEndDependencies,
  orgId: string,
  call: Call,
  webhooks: EndWebhooks,
  plan: Pick<PostCallPlan, 'reportsLater' | 'jobs'>,
): Promise<boolean> {
  const { id, created_at: _, ...changes } = call;
  const messages = webhooks.ended(call, plan);
  const outgoing = await transactionWithJobs(deps, async (tx, sender) => {
    const live = await tx.calls.lock(orgId, id, { status: { in: ['queued', 'connecting', 'in-progress'] } });
    if (live === null) return null;
    const prepared = deps.outbox.prepare(messages, live.webhook_sequence);
    const webhook_sequence = live.webhook_sequence + messages.length;
    await tx.calls.update(orgId, id, { ...changes, node_id: null, webhook_sequence });
    await sender.send([...prepared.jobs, ...plan.jobs]);
    // Before the organization: a storage may sum statistics in shared rows, and others lock them in this order too.
    await insertStatistics(tx, orgId, call);
    if (call.answered_at !== null) {
      const log = usageLogOf(call, deps);
      await tx.usageLogs.insert(orgId, log);
      await tx.organizations.increment(orgId, orgId, { minutes_balance: -log.minutes_used });
    }
    await chargeCredit(tx, orgId, call.cost);
    await recordLeadOutcome(tx, orgId, call);
    await runHook(deps, tx, orgId, call);
    return prepared;
  });
  outgoing?.dispatch();
  return outgoing !== null;
}

async function runHook(
  { onCallEnded, storage, clock }: CallEndDependencies,
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

/** Stores that a call was answered, with the webhook that reports it. */
export async function storeAnswered(
  deps: Pick<CallEndDependencies, 'storage' | 'jobs' | 'outbox'>,
  orgId: string,
  call: Call,
  webhooks: Pick<CallWebhooks, 'statusUpdate'>,
): Promise<void> {
  const { id, created_at: _, ...changes } = call;
  const messages = webhooks.statusUpdate(call);
  const outgoing = await transactionWithJobs(deps, async (tx, sender) => {
    const connecting = await tx.calls.lock(orgId, id, { status: 'connecting' });
    if (connecting === null) return null;
    const prepared = deps.outbox.prepare(messages, connecting.webhook_sequence);
    const webhook_sequence = connecting.webhook_sequence + messages.length;
    await tx.calls.update(orgId, id, { ...changes, webhook_sequence });
    await sender.send(prepared.jobs);
    return prepared;
  });
  outgoing?.dispatch();
}

function usageLogOf(call: Call, { clock, random, prices }: CallEndDependencies): UsageLog {
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
    cost_breakdown: call.cost_breakdown,
    currency: prices.currency,
    publishable_key_id: call.publishable_key_id,
    created_at: call.ended_at ?? call.updated_at,
  };
}
