import { setMaxListeners } from 'node:events';
import {
  type RandomBytes,
  toError,
  VaError,
  type WebhookDispatcher,
  type WebhookHost,
  type WebhookMessage,
  type WebhookOutcome,
} from '@va/core';
import { CallQueue } from './call-queue.ts';
import { type Envelope, seal, signedHeaders } from './envelope.ts';
import { linkSignals } from './linked-signal.ts';
import { Pauses } from './pauses.ts';
import { retryDelayMs } from './retry-schedule.ts';
import { type PostResult, Sender } from './sender.ts';

const notificationTimeoutMs = 15_000;

/** How long a request keeps behind the notifications before it: order is worth some silence on the line, not a lost call. */
const orderPatienceMs = 5_000;

export interface DispatcherOptions {
  readonly allowsPrivate: (url: URL) => boolean;
  readonly random: RandomBytes;
}

interface Posted extends PostResult {
  readonly headers: Record<string, string>;
}

/** Delivers from this process alone: what is in hand when it dies is lost. */
export class Dispatcher implements WebhookDispatcher {
  readonly #options: DispatcherOptions;
  readonly #queues = new Map<string, CallQueue>();
  readonly #requests = new Map<Promise<unknown>, string | null>();
  readonly #aborter = new AbortController();
  #started: { host: WebhookHost; sender: Sender; pauses: Pauses } | null = null;
  #draining = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    // Each exchange in flight listens for the end: their number is no leak.
    setMaxListeners(0, this.#aborter.signal);
  }

  start(host: WebhookHost): void {
    const { allowsPrivate } = this.#options;
    this.#started = { host, sender: new Sender({ clock: host.clock, allowsPrivate }), pauses: new Pauses(host.clock) };
  }

  async request(message: WebhookMessage, options: { timeoutMs: number; signal: AbortSignal }): Promise<WebhookOutcome> {
    const { host } = this.#parts();
    const envelope = seal(message, host.clock, this.#options.random);
    const exchange = this.#ask(envelope, options);
    this.#requests.set(exchange, message.callId);
    try {
      return await exchange;
    } finally {
      this.#requests.delete(exchange);
    }
  }

  notify(message: WebhookMessage): void {
    const { host } = this.#parts();
    if (this.#aborter.signal.aborted) {
      host.logger.warn({ callId: message.callId, event: message.event }, 'webhook dropped: the service is closed');
      return;
    }
    const envelope = seal(message, host.clock, this.#options.random);
    if (message.sent === undefined) {
      this.#queueOf(message.callId ?? envelope.webhookId).push(envelope);
      return;
    }
    // What is sent again waits for nothing of its call; and what is in hand already need not be sent once more.
    if (!this.#queues.has(envelope.webhookId)) this.#queueOf(envelope.webhookId).push(envelope);
  }

  async settled(callId?: string): Promise<void> {
    for (let inHand = this.#inHand(callId); inHand.length > 0; inHand = this.#inHand(callId)) {
      await Promise.all(inHand);
    }
  }

  async close({ drainMs }: { drainMs: number }): Promise<void> {
    if (this.#started === null) return;
    const { sender, pauses } = this.#started;
    // What waits to be tried again is tried now, for the last time.
    this.#draining = true;
    pauses.endAll();
    const settled = this.settled();
    await pauses.race(settled, drainMs);
    this.#aborter.abort();
    await settled;
    await sender.close();
  }

  async #ask(envelope: Envelope, options: { timeoutMs: number; signal: AbortSignal }): Promise<WebhookOutcome> {
    const { pauses } = this.#parts();
    const { signal, release } = linkSignals(options.signal, this.#aborter.signal);
    try {
      const before = this.#queues.get(envelope.message.callId ?? '')?.tried();
      if (before !== undefined) await pauses.race(before, orderPatienceMs, signal);
      const posted = await this.#post(envelope, { timeoutMs: options.timeoutMs, signal, readsAnswer: true });
      this.#report(envelope, 1, posted, true);
      return posted.outcome;
    } finally {
      release();
    }
  }

  async #tell(envelope: Envelope, attempt: number): Promise<number | null> {
    const { signal } = this.#aborter;
    const options = { timeoutMs: notificationTimeoutMs, signal, readsAnswer: false };
    const posted = await this.#post(envelope, options);
    const delayMs = posted.outcome.ok ? null : this.#delayAfter(envelope, attempt, posted, posted.outcome);
    this.#report(envelope, attempt, posted, delayMs === null);
    return delayMs;
  }

  /** How long to wait before the next attempt; null where there is none. */
  #delayAfter(
    envelope: Envelope,
    attempt: number,
    { retryAfterMs }: PostResult,
    outcome: Extract<WebhookOutcome, { ok: false }>,
  ): number | null {
    const pointless = outcome.status === 410 || outcome.reason === 'refused' || this.#draining;
    const { event, callId } = envelope.message;
    const delayMs = pointless ? null : retryDelayMs(event, attempt, retryAfterMs, this.#options.random);
    const { logger } = this.#parts().host;
    const fields = {
      callId,
      event,
      webhookId: envelope.webhookId,
      attempt,
      reason: outcome.reason,
      status: outcome.status,
    };
    if (delayMs === null) logger.error(fields, `webhook given up: ${outcome.message}`);
    else logger.warn({ ...fields, delayMs }, `webhook failed, to be repeated: ${outcome.message}`);
    return delayMs;
  }

  async #post(
    envelope: Envelope,
    options: { timeoutMs: number; signal: AbortSignal; readsAnswer: boolean },
  ): Promise<Posted> {
    const { host, sender } = this.#parts();
    const { url } = envelope.message.target;
    const headers = signedHeaders(envelope, host.clock);
    return { headers, ...(await sender.post({ url, headers, body: envelope.body, ...options })) };
  }

  /** The attempt as it may be shown: without the token. */
  #report(envelope: Envelope, attempt: number, { headers, outcome }: Posted, isLast: boolean): void {
    const { host } = this.#parts();
    const { webhookId, body, message } = envelope;
    const { event, orgId, agentId, callId, target } = message;
    const { authorization: _, ...shown } = headers;
    const about = { webhookId, event, orgId, agentId, callId, url: target.url };
    try {
      host.onAttempt({ ...about, attempt, isLast, outcome, headers: shown, body });
    } catch (error) {
      host.logger.error({ callId, event, err: toError(error) }, 'the listener for webhook attempts threw');
    }
  }

  /** A message that is about no call has a queue of its own. */
  #queueOf(key: string): CallQueue {
    const existing = this.#queues.get(key);
    if (existing !== undefined) return existing;
    const { pauses } = this.#parts();
    const queue = new CallQueue({
      attempt: (envelope, attempt) => this.#tell(envelope, attempt),
      pause: (delayMs) => pauses.wait(delayMs),
      onEmpty: () => this.#queues.delete(key),
    });
    this.#queues.set(key, queue);
    return queue;
  }

  #inHand(callId: string | undefined): Promise<unknown>[] {
    const queues = callId === undefined ? [...this.#queues.values()] : [this.#queues.get(callId)];
    const requests = [...this.#requests].filter(([, id]) => callId === undefined || id === callId);
    return [...queues.flatMap((queue) => queue?.empty() ?? []), ...requests.map(([exchange]) => exchange)];
  }

  #parts(): { host: WebhookHost; sender: Sender; pauses: Pauses } {
    if (this.#started === null)
      throw new VaError('webhooks_not_started', 'The webhook dispatcher has not been started.');
    return this.#started;
  }
}
