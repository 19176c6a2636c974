import { setMaxListeners } from 'node:events';
import {
  type Job,
  jobLeaseMs,
  type NewJob,
  type RandomBytes,
  type StoreWithJobs,
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
} from '@va/core';
import { BearerTokens } from './bearer-tokens.ts';
import { CallQueue } from './call-queue.ts';
import { Collector } from './collector.ts';
import { type Delivery, fromJob, seal, toJob, webhookQueue } from './delivery.ts';
import { delayAfterFailure } from './failed-attempt.ts';
import { InHand } from './in-hand.ts';
import { Lanes } from './lanes.ts';
import { linkSignals } from './linked-signal.ts';
import { ParsedUrls } from './parsed-urls.ts';
import { Pauses } from './pauses.ts';
import { attemptOf, type Posted, type PostOptions, refused } from './posted.ts';
import { PutOff } from './put-off.ts';
import { Results } from './results.ts';
import { Sender } from './sender.ts';
import { signedHeaders } from './signed-headers.ts';
import type { TargetRules } from './target-guard.ts';
import { Targets } from './targets.ts';

const notificationTimeoutMs = 15_000;

/** How long a request keeps behind the notifications before it: order is worth some silence on the line, not a lost call. */
const orderPatienceMs = 5_000;

/** What is in hand beyond this stays in the store until there is room. */
const maxInHand = 5_000;

/** One host may have no more than a tenth of what is in hand. */
const laneLimits = { active: 32, waiting: 480 };

/** How long a host is left alone that has too many waiting. */
const crowdedMs = 5_000;

/** What comes up from the store leaves that much for what is new. */
const maxStoredInHand = 4_000;

/** How long the next stored ones wait for those before them: so that a backlog leaves the event loop to what is new. */
const paceMs = 100;

export interface DispatcherOptions extends TargetRules {
  readonly random: RandomBytes;
}

interface Item {
  readonly delivery: Delivery;
  /** Null where it was stored, so that its target of today has to be found. */
  readonly target: WebhookTarget | null;
  /** After that its job is anybody's. */
  readonly leaseEndsMs: number;
}

interface Parts {
  readonly host: WebhookHost;
  readonly nextId: () => string;
  readonly sender: Sender;
  readonly pauses: Pauses;
  readonly putOff: PutOff;
  readonly targets: Targets;
  readonly results: Results;
  readonly collector: Collector;
}

/** Delivers what is stored as jobs; the first attempt of each is made without waiting for the queue. */
export class Dispatcher implements WebhookDispatcher {
  readonly #options: DispatcherOptions;
  readonly #lanes = new Lanes(laneLimits);
  readonly #queues = new Map<string, CallQueue<Item>>();
  readonly #inHand = new InHand<Item>();
  readonly #tokens = new BearerTokens();
  readonly #urls = new ParsedUrls();
  readonly #requests = new Map<Promise<unknown>, string | null>();
  readonly #aborter = new AbortController();
  #started: Parts | null = null;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    // Each exchange in flight listens for the end: their number is no leak.
    setMaxListeners(0, this.#aborter.signal);
  }

  get inHand(): number {
    return this.#inHand.size + this.#requests.size;
  }

  start(host: WebhookHost): void {
    const { clock, logger, jobs } = host;
    const collector = new Collector({
      ...{ clock, logger, jobs },
      room: () => maxStoredInHand - this.#inHand.size,
      receive: (taken) => this.#receiveStored(taken),
    });
    this.#started = {
      ...{ host, collector },
      sender: new Sender({ ...this.#options, clock, urls: this.#urls }),
      pauses: new Pauses(clock),
      putOff: new PutOff(clock),
      targets: new Targets(host),
      results: new Results(host),
      nextId: uuidv7Sequence(clock, this.#options.random),
    };
    collector.start();
  }

  async request(message: WebhookMessage, options: WebhookRequestOptions): Promise<WebhookOutcome> {
    const { host, nextId } = this.#parts();
    const delivery = seal(message, { clock: host.clock, nextId, after: null });
    return await this.#tracked(message.callId, this.#ask(delivery, message, options));
  }

  async notifyWith(messages: readonly WebhookMessage[], store: StoreWithJobs): Promise<string | null> {
    const deliveries = this.#seal(messages);
    const isClosed = this.#aborter.signal.aborted;
    const nowMs = this.#parts().host.clock.nowMs();
    const fits = !isClosed && deliveries.every(({ url }) => this.#hasRoom(url));
    const jobs = deliveries.map((delivery) => toJob(delivery, fits ? jobLeaseMs : 0));
    if (!(await store(jobs))) return null;
    for (const [n, delivery] of deliveries.entries()) {
      const target = messages[n]?.target ?? null;
      if (fits) this.#receive({ delivery, target, leaseEndsMs: nowMs + jobLeaseMs });
      else this.#parts().putOff.set(delivery.id, nowMs);
    }
    return deliveries.at(-1)?.id ?? null;
  }

  notify(message: WebhookMessage): void {
    const { host } = this.#parts();
    const store = async (jobs: readonly NewJob[]): Promise<boolean> => {
      await host.jobs.send(jobs);
      return true;
    };
    const storing = this.notifyWith([message], store).catch((thrown: unknown) => {
      const { callId, event } = message;
      host.logger.error({ err: toError(thrown), callId, event }, 'a webhook could not be stored');
    });
    void this.#tracked(message.callId, storing);
  }

  async settled(callId?: string): Promise<void> {
    for (let inHand = this.#exchanges(callId); inHand.length > 0; inHand = this.#exchanges(callId)) {
      await Promise.all(inHand);
    }
    await this.#started?.results.stored();
  }

  async close({ drainMs }: { drainMs: number }): Promise<void> {
    if (this.#started === null) return;
    const { sender, pauses, collector, results } = this.#started;
    await collector.stop();
    const settled = this.settled();
    await pauses.race(settled, drainMs);
    this.#aborter.abort();
    sender.abort();
    await settled;
    await results.stored();
    await sender.close();
  }

  /** Those of one call after each other. */
  #seal(messages: readonly WebhookMessage[]): Delivery[] {
    const { host, nextId } = this.#parts();
    const sealed: Delivery[] = [];
    for (const message of messages) {
      const before = sealed.at(-1);
      const after =
        before !== undefined && before.callId !== null && before.callId === message.callId
          ? before.id
          : (message.after ?? null);
      sealed.push(seal(message, { clock: host.clock, nextId, after }));
    }
    return sealed;
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
    delivery: Delivery,
    { target, traceparent = null }: WebhookMessage,
    options: WebhookRequestOptions,
  ): Promise<WebhookOutcome> {
    const { pauses, results } = this.#parts();
    const { signal, release } = linkSignals(options.signal, this.#aborter.signal);
    try {
      const before = this.#queues.get(delivery.callId ?? '')?.empty();
      if (before !== undefined) await pauses.race(before, orderPatienceMs, signal);
      const { timeoutMs, acceptsText, faultsOf } = options;
      const reads = acceptsText ? 'json-or-text' : 'json';
      const posted = await this.#post(delivery, target, { timeoutMs, signal, reads, traceparent });
      const ignored = posted.outcome.ok ? (faultsOf?.(posted.outcome.body) ?? []) : [];
      results.add({ attempt: this.#report(delivery, posted, { isLast: true, ignored }) });
      return posted.outcome;
    } finally {
      release();
    }
  }

  #hasRoom(url: string): boolean {
    return this.#inHand.size < maxInHand && this.#lanes.hasRoom(this.#laneOf(url));
  }

  /** Jobs that came up: what waits for another that is not over is put off, the others are tried in their order. */
  async #receiveStored(jobs: readonly Job[]): Promise<void> {
    const { host, results, putOff, pauses } = this.#parts();
    const leaseEndsMs = host.clock.nowMs() + jobLeaseMs;
    const deliveries: Delivery[] = [];
    for (const job of jobs) {
      const delivery = fromJob(job);
      if (delivery === null) results.add({ attempt: null, done: job.id });
      else deliveries.push(delivery);
    }
    putOff.delete(deliveries.map(({ id }) => id));
    const taken = new Set(deliveries.map(({ id }) => id));
    const before = deliveries.flatMap(({ after }) => (after === null || taken.has(after) ? [] : [after]));
    const held = before.length === 0 ? new Set<string>() : await host.jobs.stored(webhookQueue, [...new Set(before)]);
    for (const delivery of deliveries.sort((a, b) => (a.id < b.id ? -1 : 1))) {
      const { after } = delivery;
      const item = { delivery, target: null, leaseEndsMs };
      if (after !== null && held.has(after) && !this.#inHand.has(after)) this.#delay(item, putOff.waitMs(after));
      else this.#receive(item);
    }
    const most = this.#inHand.mostOver(deliveries.map(({ id }) => id));
    await pauses.race(most, paceMs, this.#aborter.signal);
  }

  #receive(item: Item): void {
    const { delivery } = item;
    const { putOff } = this.#parts();
    // What is in hand already need not be sent once more.
    if (this.#inHand.has(delivery.id)) return;
    if (delivery.after !== null && putOff.has(delivery.after)) {
      this.#delay(item, putOff.waitMs(delivery.after));
      return;
    }
    this.#inHand.add(delivery.id, item);
    this.#queueOf(delivery.isAskedFor ? delivery.id : (delivery.callId ?? delivery.id)).push(item);
  }

  /** Makes the attempt; gives how long it is until the next one, or null when there is none. */
  async #attempt(item: Item): Promise<number | null> {
    const { delivery } = item;
    const leave = await this.#lanes.enter(this.#laneOf(delivery.url));
    if (leave === null) return this.#delay(item, this.#jittered(crowdedMs));
    try {
      return await this.#attemptInTurn(item);
    } finally {
      this.#inHand.letGo(delivery.id);
      leave();
    }
  }

  async #attemptInTurn(item: Item): Promise<number | null> {
    const { host, results, putOff } = this.#parts();
    const { delivery, leaseEndsMs } = item;
    if (this.#aborter.signal.aborted) return this.#delay(item, 0);
    // So late that it might come up elsewhere while it is tried here: then it is left to that.
    const leftMs = leaseEndsMs - host.clock.nowMs();
    if (leftMs < notificationTimeoutMs + 1_000) {
      putOff.set(delivery.id, leaseEndsMs);
      return leftMs;
    }
    const posted = await this.#postToday(item);
    if (posted.outcome.ok) {
      results.add({ attempt: this.#report(delivery, posted, { isLast: true }), done: delivery.id });
      return null;
    }
    if (posted.outcome.reason === 'aborted') {
      results.add({ attempt: this.#report(delivery, posted, { isLast: false }), again: toJob(delivery, 0) });
      return 0;
    }
    const delayMs = delayAfterFailure(delivery, posted, { random: this.#options.random, logger: host.logger });
    const attempt = this.#report(delivery, posted, { isLast: delayMs === null });
    if (delayMs === null) results.add({ attempt, done: delivery.id });
    else this.#delay({ ...item, delivery: { ...delivery, attempts: delivery.attempts + 1 } }, delayMs, attempt);
    return delayMs;
  }

  /** Puts a job back, to come up again then. */
  #delay({ delivery }: Item, delayMs: number, attempt: WebhookAttempt | null = null): number {
    const { host, results, collector, putOff } = this.#parts();
    this.#inHand.letGo(delivery.id);
    putOff.set(delivery.id, host.clock.nowMs() + delayMs);
    results.add({ attempt, again: toJob(delivery, delayMs) });
    collector.wakeIn(delayMs);
    return delayMs;
  }

  /** To where it goes today, and not at all where that is nowhere, or disabled. */
  async #postToday({ delivery, target }: Item): Promise<Posted> {
    const { host, targets } = this.#parts();
    try {
      const today = target ?? (await targets.of(delivery));
      if (today === null) return refused(delivery.url, 'The URL is none of the agent, its tools or its organization.');
      const disabled = delivery.isAskedFor ? null : await host.disabled(delivery.orgId, today.url);
      if (disabled !== null) return refused(today.url, disabled);
      return await this.#post(delivery, today, { timeoutMs: notificationTimeoutMs, reads: 'nothing' });
    } catch (thrown) {
      const { message } = toError(thrown);
      const outcome = { ok: false, reason: 'network', status: null, message, latencyMs: 0 } as const;
      return { url: delivery.url, headers: {}, outcome, retryAfterMs: 0 };
    }
  }

  async #post(
    delivery: Delivery,
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

  #report(delivery: Delivery, posted: Posted, notes: Parameters<typeof attemptOf>[2]): WebhookAttempt {
    const { host } = this.#parts();
    const attempt = attemptOf(delivery, posted, notes);
    try {
      host.onAttempt(attempt);
    } catch (error) {
      const { callId, event } = delivery;
      host.logger.error({ callId, event, err: toError(error) }, 'the listener for webhook attempts threw');
    }
    return attempt;
  }

  #queueOf(key: string): CallQueue<Item> {
    const existing = this.#queues.get(key);
    if (existing !== undefined) return existing;
    const queue = new CallQueue<Item>({
      attempt: (item) => this.#attempt(item),
      putOff: (item, delayMs) => void this.#delay(item, delayMs),
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

  /** What stands for a URL that is none gets a lane too: it is refused there. */
  #laneOf(url: string): string {
    return this.#urls.of(url)?.host ?? url;
  }

  #jittered(delayMs: number): number {
    return delayMs * (1 + (this.#options.random(1)[0] ?? 0) / 255);
  }

  #parts(): Parts {
    if (this.#started === null)
      throw new VaError('webhooks_not_started', 'The webhook dispatcher has not been started.');
    return this.#started;
  }
}
