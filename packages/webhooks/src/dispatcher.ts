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

/** Delivers from this process alone: what is in hand when it dies is lost. */
export class Dispatcher implements WebhookDispatcher {
  readonly #options: DispatcherOptions;
  readonly #queues = new Map<string, CallQueue>();
  readonly #requests = new Map<Promise<unknown>, string>();
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
    this.#queueOf(message.callId).push(seal(message, host.clock, this.#options.random));
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
      const before = this.#queues.get(envelope.message.callId)?.tried();
      if (before !== undefined) await pauses.race(before, orderPatienceMs, signal);
      const { outcome } = await this.#post(envelope, 1, { timeoutMs: options.timeoutMs, signal, readsAnswer: true });
      return outcome;
    } finally {
      release();
    }
  }

  async #tell(envelope: Envelope, attempt: number): Promise<number | null> {
    const { signal } = this.#aborter;
    const options = { timeoutMs: notificationTimeoutMs, signal, readsAnswer: false };
    const { outcome, retryAfterMs } = await this.#post(envelope, attempt, options);
    if (outcome.ok) return null;
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
    attempt: number,
    options: { timeoutMs: number; signal: AbortSignal; readsAnswer: boolean },
  ): Promise<PostResult> {
    const { host, sender } = this.#parts();
    const { url } = envelope.message.target;
    const headers = signedHeaders(envelope, host.clock);
    const result = await sender.post({ url, headers, body: envelope.body, ...options });
    this.#report(envelope, attempt, headers, result.outcome);
    return result;
  }

  /** The attempt as it may be shown: without the token. */
  #report(envelope: Envelope, attempt: number, headers: Record<string, string>, outcome: WebhookOutcome): void {
    const { host } = this.#parts();
    const { webhookId, body, message } = envelope;
    const { event, callId, target } = message;
    const { authorization: _, ...shown } = headers;
    try {
      host.onAttempt({ webhookId, event, callId, url: target.url, attempt, outcome, headers: shown, body });
    } catch (error) {
      host.logger.error({ callId, event, err: toError(error) }, 'the listener for webhook attempts threw');
    }
  }

  #queueOf(callId: string): CallQueue {
    const existing = this.#queues.get(callId);
    if (existing !== undefined) return existing;
    const { pauses } = this.#parts();
    const queue = new CallQueue({
      attempt: (envelope, attempt) => this.#tell(envelope, attempt),
      pause: (delayMs) => pauses.wait(delayMs),
      onEmpty: () => this.#queues.delete(callId),
    });
    this.#queues.set(callId, queue);
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
