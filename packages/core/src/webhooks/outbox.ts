import { toError } from '../errors.ts';
import { type RandomBytes, uuidv7Sequence } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import { jobLeaseMs, type NewJob } from '../ports/jobs.ts';
import type { Logger } from '../ports/logger.ts';
import type { StoredWebhook, WebhookDispatcher, WebhookMessage } from '../ports/webhooks.ts';
import { sealWebhook, webhookJob } from './outgoing-webhook.ts';

/** Webhooks to be stored in a transaction. */
export interface PreparedWebhooks {
  /** Jobs that deliver them, to be stored with the change that the webhooks report. */
  readonly jobs: readonly NewJob[];
  /** Starts the first attempts. Call it after the commit only. Never throws. */
  dispatch(): void;
}

export interface OutboxDependencies {
  readonly webhooks: Pick<WebhookDispatcher, 'hasRoom' | 'deliver'>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
}

/**
 * Creates the jobs of outgoing webhooks, to be stored in the transaction of the change that they report, and passes the
 * webhooks to the dispatcher after the commit. A dispatcher that throws delays webhooks but harms no record: their jobs
 * become due when their lease ends.
 */
export class WebhookOutbox {
  readonly #deps: OutboxDependencies;
  readonly #nextId: () => string;

  constructor(deps: OutboxDependencies) {
    this.#deps = deps;
    this.#nextId = uuidv7Sequence(deps.clock, deps.random);
  }

  /**
   * Creates the jobs of messages. Call it again for each attempt of a transaction, because the lease of the jobs starts
   * here.
   * @param after the `webhook_sequence` of the call, read in the transaction; absent for messages without an order
   */
  prepare(messages: readonly WebhookMessage[], after?: number): PreparedWebhooks {
    if (messages.length === 0) return nothing;
    const { clock } = this.#deps;
    const webhooks = messages.map((message, n) =>
      sealWebhook(after === undefined ? message : { ...message, sequence: after + 1 + n }, {
        clock,
        nextId: this.#nextId,
      }),
    );
    const isLeased = this.#hasRoom(webhooks.map(({ url }) => url));
    const leaseEndsMs = isLeased ? clock.nowMs() + jobLeaseMs : null;
    return {
      jobs: webhooks.map((webhook) => webhookJob(webhook, isLeased ? jobLeaseMs : 0)),
      dispatch: () => {
        const stored = webhooks.map((webhook, n) => ({ webhook, target: messages[n]?.target ?? null, leaseEndsMs }));
        this.#deliver(stored);
      },
    };
  }

  #hasRoom(urls: readonly string[]): boolean {
    try {
      return this.#deps.webhooks.hasRoom(urls);
    } catch (thrown) {
      this.#deps.logger.error({ err: toError(thrown) }, 'webhook dispatcher failed');
      return false;
    }
  }

  #deliver(stored: readonly StoredWebhook[]): void {
    try {
      this.#deps.webhooks.deliver(stored);
    } catch (thrown) {
      this.#deps.logger.error({ err: toError(thrown) }, 'webhook dispatcher failed');
    }
  }
}

const nothing: PreparedWebhooks = { jobs: [], dispatch() {} };
