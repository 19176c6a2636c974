import { timestamp } from '../clock/timestamp.ts';
import type { DeliveryAttempt, WebhookDelivery } from '../domain/webhooks/webhook-delivery.ts';
import { type RandomBytes, uuidv7Sequence } from '../ids.ts';
import { transactionWithJobs } from '../jobs/transaction.ts';
import type { Clock } from '../ports/clock.ts';
import type { JobQueue } from '../ports/jobs.ts';
import type { Owned } from '../ports/storage/collection.ts';
import type { Records } from '../ports/storage/records.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { WebhookAttempt, WebhookResults } from '../ports/webhooks.ts';
import { groupBy } from '../records/group-by.ts';
import { JsonText } from '../records/json-text.ts';

interface DeliveryLogDependencies {
  readonly storage: Storage;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** Maximum attempts kept per delivery (the latest), so that redeliveries do not grow a record without bound. */
const maxAttempts = 100;

/** Attempts of a webhook to be stored, with the record to insert if the webhook has none yet. */
interface Begun extends Owned<WebhookDelivery> {
  readonly first: WebhookAttempt;
  readonly others: readonly WebhookAttempt[];
}

/** Stores a record of every webhook delivery and of each attempt. */
export class DeliveryLog {
  readonly #deps: DeliveryLogDependencies;
  /** Returns ascending ids, because the records of one batch share one `created_at`. */
  readonly #nextId: () => string;

  constructor(deps: DeliveryLogDependencies) {
    this.#deps = deps;
    this.#nextId = uuidv7Sequence(deps.clock, deps.random);
  }

  /** Stores the results of attempts and settles their jobs, in one transaction. */
  async settle({ attempts, done, again }: WebhookResults): Promise<void> {
    const at = timestamp(this.#deps.clock);
    await transactionWithJobs(this.#deps, async (tx, sender) => {
      await this.#write(tx, attempts, at);
      await sender.settle('webhooks', { done, again });
    });
  }

  /** Stores attempts. Inserts new records together, for all organizations; updates existing ones one by one. */
  async #write(tx: Records, attempts: readonly WebhookAttempt[], at: string): Promise<void> {
    const begun: Begun[] = [];
    const byWebhook = groupBy(attempts, ({ orgId, webhookId }) => `${orgId} ${webhookId}`);
    for (const [first, ...others] of byWebhook.values()) {
      begun.push({ orgId: first.orgId, record: this.#begun(first, at), first, others });
    }
    const inserted = new Set(await tx.across.webhookDeliveries.insertMany(begun));
    for (const { record, first, others } of begun) {
      for (const attempt of inserted.has(record.id) ? others : [first, ...others]) await append(tx, attempt, at);
    }
  }

  #begun(attempt: WebhookAttempt, at: string): WebhookDelivery {
    return {
      id: this.#nextId(),
      webhook_id: attempt.webhookId,
      agent_id: attempt.agentId,
      call_id: attempt.callId,
      event: attempt.event,
      url: attempt.url,
      attempts: [attemptOf(attempt, at)],
      payload: new JsonText(attempt.body),
      created_at: at,
      delivered_at: null,
      ...stateAfter(attempt, at),
    };
  }
}

async function append(tx: Records, attempt: WebhookAttempt, at: string): Promise<void> {
  const { orgId, webhookId, outcome } = attempt;
  const [before] = await tx.webhookDeliveries.list(orgId, { where: { webhook_id: webhookId }, limit: 1 });
  if (before === undefined) return;
  const attempts = [...before.attempts, attemptOf(attempt, at)].slice(-maxAttempts);
  // A delivered webhook stays delivered, whatever the result of a redelivery.
  const keeps = before.status === 'delivered' && !outcome.ok;
  const state = keeps ? { updated_at: at } : stateAfter(attempt, at);
  await tx.webhookDeliveries.update(orgId, before.id, { ...state, attempts });
}

function attemptOf({ outcome, ignored = [] }: WebhookAttempt, at: string): DeliveryAttempt {
  const notes = ignored.length === 0 ? null : `ignored in the answer: ${ignored.join('; ')}`;
  return {
    at,
    status_code: outcome.status,
    latency_ms: Math.round(outcome.latencyMs * 10) / 10,
    error: outcome.ok ? notes : outcome.message,
  };
}

function stateAfter(
  { outcome, isLast }: WebhookAttempt,
  at: string,
): Pick<WebhookDelivery, 'status' | 'status_code' | 'updated_at'> & { delivered_at?: string } {
  const status = outcome.ok ? 'delivered' : isLast ? 'failed' : 'pending';
  return { status, status_code: outcome.status, updated_at: at, ...(outcome.ok ? { delivered_at: at } : {}) };
}
