import { timestamp } from '../clock/timestamp.ts';
import { transactionWithJobs } from '../jobs/transaction.ts';
import { eraseLead } from '../leads/erase-lead.ts';
import type { Clock } from '../ports/clock.ts';
import type { JobQueue } from '../ports/jobs.ts';
import type { RecordingStore } from '../ports/recordings.ts';
import type { Records } from '../ports/storage/records.ts';
import type { Storage } from '../ports/storage/storage.ts';

export interface ErasureDependencies {
  readonly storage: Storage;
  readonly jobs: JobQueue;
  readonly recordings: RecordingStore;
  readonly clock: Clock;
}

const over = { status: { in: ['ended', 'failed'] as const } };
const batchSize = 500;

/**
 * Erases the content of an ended call: transcript, summary, analysis, variables, recording, events, commands, webhooks
 * with their bodies (also queued ones), and the data of its lead. The rest of the record stays: who called whom, when
 * and for how long.
 */
export async function eraseContent(deps: ErasureDependencies, orgId: string, callId: string): Promise<void> {
  await deps.recordings.delete(orgId, callId);
  await erase(deps, orgId, callId, async (tx) => {
    const now = timestamp(deps.clock);
    const nothing = { summary: null, analysis_result: null, analysis_error: null, messages: [], variables: null };
    const changes = { ...nothing, recording_url: null, erased_at: now, updated_at: now };
    const erased = await tx.calls.update(orgId, callId, changes, over);
    if (erased !== null) await eraseLead(tx, orgId, erased, { remains: 'record', now });
  });
}

/** Deletes an ended call with everything that belongs to it, except its usage. Returns false if there is none. */
export async function eraseCall(deps: ErasureDependencies, orgId: string, callId: string): Promise<boolean> {
  await deps.recordings.delete(orgId, callId);
  return await erase(deps, orgId, callId, async (tx) => {
    const call = await tx.calls.get(orgId, callId);
    if (call === null || !(await tx.calls.delete(orgId, callId, over))) return false;
    await eraseLead(tx, orgId, call, { remains: 'nothing', now: timestamp(deps.clock) });
    return true;
  });
}

/**
 * Deletes the records of a call and applies `change` in one transaction, so that an interrupted erasure starts over.
 * The recording is deleted before; deleting it twice is harmless.
 */
async function erase<T>(
  deps: ErasureDependencies,
  orgId: string,
  callId: string,
  change: (tx: Records) => Promise<T>,
): Promise<T> {
  return await transactionWithJobs(deps, async (tx, sender) => {
    const where = { call_id: callId };
    await purge((limit) => tx.callEvents.list(orgId, { where, limit }), tx.across.callEvents);
    await purge((limit) => tx.callCommands.list(orgId, { where, limit }), tx.across.callCommands);
    // Includes webhooks that were never attempted and thus are not in the log.
    await sender.forget('webhooks', { key: 'callId', text: callId });
    await purge((limit) => tx.webhookDeliveries.list(orgId, { where, limit }), tx.across.webhookDeliveries);
    return await change(tx);
  });
}

/** Selected by id, which is a fast lookup in every organization. */
async function purge(
  list: (limit: number) => Promise<readonly { readonly id: string }[]>,
  collection: { purge(filter: { where: { id: { in: string[] } } }, limit: number): Promise<number> },
): Promise<void> {
  for (;;) {
    const ids = (await list(batchSize)).map(({ id }) => id);
    if (ids.length > 0) await collection.purge({ where: { id: { in: ids } } }, ids.length);
    if (ids.length < batchSize) return;
  }
}
