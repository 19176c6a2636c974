import { timestamp } from '../clock/timestamp.ts';
import type { DeliveryAttempt, WebhookDelivery } from '../domain/webhook-delivery.ts';
import { toError, UniqueViolation } from '../errors.ts';
import { type RandomBytes, uuidv7 } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { WebhookAttempt } from '../ports/webhooks.ts';

interface Dependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
}

/** Attempts of a delivery beyond this are counted no more, so that redeliveries without end do not make a record without end. */
const maxAttempts = 100;

/** Keeps a record of every message to the customers' servers, and of each attempt. */
export class DeliveryLog {
  readonly #deps: Dependencies;
  /** The writing of each delivery's last attempt: the next one waits for it. */
  readonly #writing = new Map<string, Promise<void>>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Returns at once. What cannot be stored is logged. */
  record(attempt: WebhookAttempt): void {
    const { webhookId } = attempt;
    const made = attemptOf(attempt, timestamp(this.#deps.clock));
    const writing = (this.#writing.get(webhookId) ?? Promise.resolve())
      .then(() => this.#write(attempt, made))
      .catch((thrown: unknown) => {
        this.#deps.logger.error({ err: toError(thrown), webhookId }, 'a webhook attempt could not be recorded');
      })
      .finally(() => {
        if (this.#writing.get(webhookId) === writing) this.#writing.delete(webhookId);
      });
    this.#writing.set(webhookId, writing);
  }

  /** Resolves when everything that was recorded is stored. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing.values());
  }

  async #write(attempt: WebhookAttempt, made: DeliveryAttempt): Promise<void> {
    const { storage, clock, random } = this.#deps;
    const { orgId, webhookId } = attempt;
    const state = stateAfter(attempt, made);
    const first: WebhookDelivery = {
      id: uuidv7(clock, random),
      webhook_id: webhookId,
      agent_id: attempt.agentId,
      call_id: attempt.callId,
      event: attempt.event,
      url: attempt.url,
      attempts: [made],
      payload: JSON.parse(attempt.body),
      created_at: made.at,
      delivered_at: null,
      ...state,
    };
    try {
      await storage.webhookDeliveries.insert(orgId, first);
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      await this.#append(orgId, webhookId, made, state);
    }
  }

  async #append(
    orgId: string,
    webhookId: string,
    made: DeliveryAttempt,
    state: ReturnType<typeof stateAfter>,
  ): Promise<void> {
    const { webhookDeliveries } = this.#deps.storage;
    const [before] = await webhookDeliveries.list(orgId, { where: { webhook_id: webhookId }, limit: 1 });
    if (before === undefined) return;
    const attempts = [...before.attempts, made].slice(-maxAttempts);
    // What was delivered once stays so, whatever comes of sending it again.
    const status = before.status === 'delivered' ? 'delivered' : state.status;
    await webhookDeliveries.update(orgId, before.id, { ...state, status, attempts });
  }
}

function attemptOf({ outcome }: WebhookAttempt, at: string): DeliveryAttempt {
  return {
    at,
    status_code: outcome.status,
    latency_ms: Math.round(outcome.latencyMs * 10) / 10,
    error: outcome.ok ? null : outcome.message,
  };
}

function stateAfter(
  { outcome, isLast }: WebhookAttempt,
  { at }: DeliveryAttempt,
): Pick<WebhookDelivery, 'status' | 'status_code' | 'updated_at'> & { delivered_at?: string } {
  const status = outcome.ok ? 'delivered' : isLast ? 'failed' : 'pending';
  return { status, status_code: outcome.status, updated_at: at, ...(outcome.ok ? { delivered_at: at } : {}) };
}
