import { setMaxListeners } from 'node:events';
import {
  type Job,
  jobLeaseMs,
  type OutgoingWebhook,
  type RandomBytes,
  readWebhookJob,
  type StoredWebhook,
  sealWebhook,
  toError,
  uuidv7Sequence,
  VaError,
  type WebhookAttempt,
  type WebhookDispatcher,
  type WebhookHost,
  type WebhookMessage,
  type WebhookOutcome,
  type WebhookRequestOptions,
  type WebhookTarget,
  webhookJob,
  webhookQueue,
} from '@va/core/adapter';
import { BearerTokens } from '../request/bearer-tokens.ts';
import { linkSignals } from '../request/linked-signal.ts';
import { ParsedUrls } from '../request/parsed-urls.ts';
import { attemptOf, type Posted, type PostOptions, refused } from '../request/posted.ts';
import { Sender } from '../request/sender.ts';
import { signedHeaders } from '../request/signed-headers.ts';
import type { TargetRules } from '../request/target-rules.ts';
import { AttemptResults } from './attempt-results.ts';
import { CallQueue } from './call-queue.ts';
import { Deferred } from './deferred.ts';
import { DueJobPoller } from './due-job-poller.ts';
import { delayAfterFailure } from './failed-attempt.ts';
import { InFlightWebhooks } from './in-flight-webhooks.ts';
import { PerHostLimiter } from './per-host-limiter.ts';
import { raceTimeout } from './race-timeout.ts';
import { Targets } from './targets.ts';

const notificationTimeoutMs = 15_000;

/**
 * Maximum time that a request waits for earlier webhooks of its call. The caller hears silence meanwhile, so the
 * request is then sent out of order.
 */
const orderTimeoutMs = 5_000;

/** Maximum number of webhooks in flight; further ones stay in the job queue. */
const maxInFlight = 5_000;

/** Limits per host, a tenth of all webhooks in flight. */
const hostLimits = { active: 32, waiting: 480 };

/** Delay of webhooks to a host whose waiting list is full. */
const crowdedMs = 5_000;

/** Maximum number of webhooks from the queue in flight, which leaves room for new ones. */
const maxStoredInFlight = 4_000;

/** Maximum wait between batches from the queue. The wait gives new webhooks precedence over a backlog. */
const paceMs = 100;

/** Options of the {@link Dispatcher}. */
interface DispatcherOptions extends TargetRules {
  readonly random: RandomBytes;
}

interface Item {
  readonly delivery: OutgoingWebhook;
  /** Null for a webhook from the queue, whose target is looked up at each attempt. */
  readonly target: WebhookTarget | null;
  /** Time at which any process may take the job. */
  readonly leaseEndsMs: number;
}

interface Parts {
  readonly host: WebhookHost;
  readonly nextId: () => string;
  readonly sender: Sender;
  readonly deferred: Deferred;
  readonly targets: Targets;
  readonly results: AttemptResults;
  readonly poller: DueJobPoller;
}

/** Delivers stored webhooks. The first attempt of a new one does not wait for the queue. */
export class Dispatcher implements WebhookDispatcher {
  readonly #options: DispatcherOptions;
  readonly #hosts = new PerHostLimiter(hostLimits);
  readonly #queues = new Map<string, CallQueue<Item>>();
  readonly #inFlight = new InFlightWebhooks<Item>();
  readonly #tokens = new BearerTokens();
  readonly #urls = new ParsedUrls();
  readonly #requests = new Map<Promise<unknown>, string | null>();
  readonly #aborter = new AbortController();
  #started: Parts | null = null;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    // Each request in flight adds a listener, so a large number of listeners is not a leak.
    setMaxListeners(0, this.#aborter.signal);
  }

  get inFlight(): number {
    return this.#inFlight.size + this.#requests.size;
  }

  start(host: WebhookHost): void {
    const { clock, logger, jobs } = host;
    const poller = new DueJobPoller({
      ...{ clock, logger, jobs },
      room: () => maxStoredInFlight - this.#inFlight.size,
      receive: (taken) => this.#receiveStored(taken),
    });
    this.#started = {
      ...{ host, poller },
      sender: new Sender({ ...this.#options, clock, urls: this.#urls }),
      deferred: new Deferred(clock),
      targets: new Targets(host),
      results: new AttemptResults(host),
      nextId: uuidv7Sequence(clock, this.#options.random),
    };
    poller.start();
  }

  async request(message: WebhookMessage, options: WebhookRequestOptions): Promise<WebhookOutcome> {
    const { host, nextId } = this.#parts();
    const delivery = sealWebhook(message, { clock: host.clock, nextId });
    return await this.#tracked(message.callId, this.#ask(delivery, message, options));
  }

  hasRoom(urls: readonly string[]): boolean {
    return !this.#aborter.signal.aborted && urls.every((url) => this.#hasRoom(url));
  }

  deliver(stored: readonly StoredWebhook[]): void {
    const { host, deferred } = this.#parts();
    for (const { webhook, target, leaseEndsMs } of stored) {
      if (leaseEndsMs === null) deferred.set(webhook.id, host.clock.nowMs());
      else this.#receive({ delivery: webhook, target, leaseEndsMs });
    }
  }

  async settled(callId?: string): Promise<void> {
    for (let pending = this.#exchanges(callId); pending.length > 0; pending = this.#exchanges(callId)) {
      await Promise.all(pending);
    }
    await this.#started?.results.stored();
  }

  async close({ drainMs }: { drainMs: number }): Promise<void> {
    if (this.#started === null) return;
    const { host, sender, poller, results } = this.#started;
    await poller.stop();
    const settled = this.settled();
    await raceTimeout(host.clock, settled, drainMs);
    this.#aborter.abort();
    sender.abort();
    await settled;
    await results.stored();
    await sender.close();
  }

  async #tracked<T>(callId: string | null, exchange: Promise<T>): Promise<T> {
    this.#requests.set(exchange, callId);
    try {
      return await exchange;
    } finally {
      this.#requests.delete(exchange);
    }
  }

  async #ask(
    delivery: OutgoingWebhook,
    { target, traceparent = null }: WebhookMessage,
    options: WebhookRequestOptions,
  ): Promise<WebhookOutcome> {
    const { host, results } = this.#parts();
    const { signal, release } = linkSignals(options.signal, this.#aborter.signal);
    try {
      const before = this.#queues.get(delivery.callId ?? '')?.empty();
      if (before !== undefined) await raceTimeout(host.clock, before, orderTimeoutMs, signal);
      const { timeoutMs, acceptsText, faultsOf } = options;
      const reads = acceptsText ? 'json-or-text' : 'json';
      const posted = await this.#post(delivery, target, { timeoutMs, signal, reads, traceparent });
      const ignored = posted.outcome.ok ? (faultsOf?.(posted.outcome.body) ?? []) : [];
      const result = { attempt: this.#report(delivery, posted, { isLast: true, ignored }) };
      if (options.untilLogged === true) await results.store(result);
      else results.add(result);
      return posted.outcome;
    } finally {
      release();
    }
  }

  #hasRoom(url: string): boolean {
    return this.#inFlight.size < maxInFlight && this.#hosts.hasRoom(this.#hostOf(url));
  }

  /** Receives jobs from the queue. Defers those whose predecessor is still stored, and attempts the others in order. */
  async #receiveStored(jobs: readonly Job[]): Promise<void> {
    const { host, results, deferred } = this.#parts();
    const leaseEndsMs = host.clock.nowMs() + jobLeaseMs;
    const deliveries: OutgoingWebhook[] = [];
    for (const job of jobs) {
      const delivery = readWebhookJob(job);
      if (delivery === null) results.add({ attempt: null, done: job.id });
      else deliveries.push(delivery);
    }
    deferred.delete(deliveries.map(({ id }) => id));
    const taken = new Set(deliveries.map(({ id }) => id));
    const before = deliveries.flatMap(({ predecessorId: id }) => (id === null || taken.has(id) ? [] : [id]));
    const held = before.length === 0 ? new Set<string>() : await host.jobs.stored(webhookQueue, [...new Set(before)]);
    for (const delivery of deliveries.sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))) {
      const { predecessorId } = delivery;
      const item = { delivery, target: null, leaseEndsMs };
      const waits = predecessorId !== null && held.has(predecessorId) && !this.#inFlight.has(predecessorId);
      if (waits) this.#delay(item, deferred.waitMs(predecessorId));
      else this.#receive(item);
    }
    const most = this.#inFlight.mostReleased(deliveries.map(({ id }) => id));
    await raceTimeout(host.clock, most, paceMs, this.#aborter.signal);
  }

  #receive(item: Item): void {
    const { delivery } = item;
    const { deferred } = this.#parts();
    // The queue can return a webhook that this process is still delivering.
    if (this.#inFlight.has(delivery.id)) return;
    if (delivery.predecessorId !== null && deferred.has(delivery.predecessorId)) {
      this.#delay(item, deferred.waitMs(delivery.predecessorId));
      return;
    }
    this.#inFlight.add(delivery.id, item);
    this.#queueOf(delivery.isRedelivery ? delivery.id : (delivery.callId ?? delivery.id)).push(item);
  }

  /** Attempts a webhook. Returns the delay before its next attempt, or null if there is none. */
  async #attempt(item: Item): Promise<number | null> {
    const { delivery } = item;
    const leave = await this.#hosts.enter(this.#hostOf(delivery.url));
    if (leave === null) return this.#delay(item, this.#jittered(crowdedMs));
    try {
      return await this.#attemptInTurn(item);
    } finally {
      this.#inFlight.release(delivery.id);
      leave();
    }
  }

  async #attemptInTurn(item: Item): Promise<number | null> {
    const { host, results, deferred } = this.#parts();
    const { delivery, leaseEndsMs } = item;
    if (this.#aborter.signal.aborted) return this.#delay(item, 0);
    // Another process could take the job during the attempt if the lease ended, so the job is left to that process.
    const leftMs = leaseEndsMs - host.clock.nowMs();
    if (leftMs < notificationTimeoutMs + 1_000) {
      deferred.set(delivery.id, leaseEndsMs);
      return leftMs;
    }
    const posted = await this.#postToPresentTarget(item);
    if (posted.outcome.ok) {
      results.add({ attempt: this.#report(delivery, posted, { isLast: true }), done: delivery.id });
      return null;
    }
    if (posted.outcome.reason === 'aborted') {
      results.add({ attempt: this.#report(delivery, posted, { isLast: false }), again: webhookJob(delivery, 0) });
      return 0;
    }
    const delayMs = delayAfterFailure(delivery, posted, { random: this.#options.random, logger: host.logger });
    const attempt = this.#report(delivery, posted, { isLast: delayMs === null });
    if (delayMs === null) results.add({ attempt, done: delivery.id });
    else this.#delay({ ...item, delivery: { ...delivery, attempts: delivery.attempts + 1 } }, delayMs, attempt);
    return delayMs;
  }

  /** Returns a webhook to the queue for the given time. */
  #delay({ delivery }: Item, delayMs: number, attempt: WebhookAttempt | null = null): number {
    const { host, results, poller, deferred } = this.#parts();
    this.#inFlight.release(delivery.id);
    deferred.set(delivery.id, host.clock.nowMs() + delayMs);
    results.add({ attempt, again: webhookJob(delivery, delayMs) });
    poller.wakeIn(delayMs);
    return delayMs;
  }

  /**
   * Posts a webhook to its present target. Refuses it without a target, and if the endpoint is disabled and this is no
   * redelivery.
   */
  async #postToPresentTarget({ delivery, target }: Item): Promise<Posted> {
    const { host, targets } = this.#parts();
    try {
      const present = target ?? (await targets.of(delivery));
      if (present === null) return refused(delivery.url, 'no agent, tool or organization has this URL any more');
      const disabled = delivery.isRedelivery ? null : await host.disabled(delivery.orgId, present.url);
      if (disabled !== null) return refused(present.url, disabled);
      return await this.#post(delivery, present, { timeoutMs: notificationTimeoutMs, reads: 'nothing' });
    } catch (thrown) {
      const { message } = toError(thrown);
      const outcome = { ok: false, reason: 'network', status: null, message, latencyMs: 0 } as const;
      return { url: delivery.url, headers: {}, outcome, retryAfterMs: 0 };
    }
  }

  async #post(
    delivery: OutgoingWebhook,
    target: WebhookTarget,
    { timeoutMs, signal, reads, traceparent = null }: PostOptions,
  ): Promise<Posted> {
    const { host, sender } = this.#parts();
    const { url, secret } = target;
    const shown = signedHeaders(delivery, target, host.clock, traceparent);
    const headers = secret === '' ? shown : { ...shown, authorization: `Bearer ${this.#tokens.of(secret)}` };
    const { body, orgId } = delivery;
    const { outcome, retryAfterMs } = await sender.post({ url, orgId, headers, body, timeoutMs, signal, reads });
    return { url, headers: shown, outcome, retryAfterMs };
  }

  #report(delivery: OutgoingWebhook, posted: Posted, notes: Parameters<typeof attemptOf>[2]): WebhookAttempt {
    const { host } = this.#parts();
    const attempt = attemptOf(delivery, posted, notes);
    try {
      host.onAttempt(attempt);
    } catch (error) {
      const { callId, event } = delivery;
      host.logger.error({ callId, event, err: toError(error) }, 'the listener of webhook attempts threw an error');
    }
    return attempt;
  }

  #queueOf(key: string): CallQueue<Item> {
    const existing = this.#queues.get(key);
    if (existing !== undefined) return existing;
    const queue = new CallQueue<Item>({
      attempt: (item) => this.#attempt(item),
      defer: (item, delayMs) => void this.#delay(item, delayMs),
      onEmpty: () => this.#queues.delete(key),
    });
    this.#queues.set(key, queue);
    return queue;
  }

  #exchanges(callId: string | undefined): Promise<unknown>[] {
    const queues = callId === undefined ? [...this.#queues.values()] : [this.#queues.get(callId)];
    const requests = [...this.#requests].filter(([, id]) => callId === undefined || id === callId);
    return [...queues.flatMap((queue) => queue?.empty() ?? []), ...requests.map(([exchange]) => exchange)];
  }

  /** Returns the host that limits apply to. An invalid URL gets its own limits, so that it fails on the normal path. */
  #hostOf(url: string): string {
    return this.#urls.of(url)?.host ?? url;
  }

  #jittered(delayMs: number): number {
    return delayMs * (1 + (this.#options.random(1)[0] ?? 0) / 255);
  }

  #parts(): Parts {
    if (this.#started === null)
      throw new VaError('webhooks_not_started', 'The webhook dispatcher has not been started: call start() first.');
    return this.#started;
  }
}
