import {
  type AddressPolicy,
  askWith,
  type Clock,
  checkAddresses,
  checkLiteral,
  connectionLookup,
  HostResolver,
  type LookupRequest,
  RefusedTarget,
  toError,
  type WebhookOutcome,
} from '@va/core/adapter';
import { Agent } from 'undici';
import { isSuccess, type ReceiverResponse, WebhookExchange } from './exchange.ts';
import type { ParsedUrls } from './parsed-urls.ts';
import { parseRetryAfterMs } from './retry-schedule.ts';
import type { TargetRules } from './target-rules.ts';

const maxResponseBytes = 1_048_576;

const isHttp: ReadonlySet<string> = new Set(['http:', 'https:']);

/** Parsing of a response body: none, JSON, or JSON with text for `text/plain`. */
export type ResponseReading = 'nothing' | 'json' | 'json-or-text';

/** A request with its limits. */
interface WebhookPost {
  readonly url: string;
  /** The organization whose limits apply. */
  readonly orgId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** Aborts this request; `Sender.abort` aborts all. */
  readonly signal?: AbortSignal | undefined;
  readonly reads: ResponseReading;
}

/** Result of a request. */
export interface PostResult {
  readonly outcome: WebhookOutcome;
  /** The response's `Retry-After` in milliseconds; 0 without one. */
  readonly retryAfterMs: number;
}

/**
 * Posts over kept-alive connections. Redirects are not followed, because their targets would bypass the address check.
 */
export class Sender {
  readonly #guarded: Agent;
  readonly #open: Agent;
  readonly #resolver: HostResolver;
  readonly #clock: Clock;
  readonly #urls: ParsedUrls;
  readonly #allowsPrivate: (url: URL) => boolean;
  readonly #addresses: AddressPolicy;
  readonly #inFlight = new Set<() => void>();
  #isAborted = false;

  constructor(options: TargetRules & { readonly clock: Clock; readonly urls: ParsedUrls }) {
    this.#addresses = options.addresses;
    const ask = options.lookup === undefined ? undefined : askWith(options.lookup);
    this.#resolver = new HostResolver({ clock: options.clock, ask });
    this.#guarded = new Agent({ connect: { lookup: connectionLookup(this.#resolver, options.addresses) } });
    this.#open = new Agent({ connect: { lookup: connectionLookup(this.#resolver, null) } });
    this.#clock = options.clock;
    this.#urls = options.urls;
    this.#allowsPrivate = options.allowsPrivate;
  }

  /** Sends a request. Never rejects: an error is returned as an outcome. */
  async post(post: WebhookPost): Promise<PostResult> {
    const startMs = this.#clock.nowMs();
    const exchange = new WebhookExchange({ maxResponseBytes, readsBody: post.reads !== 'nothing' });
    // The exchange may end during the host lookup, before the response is awaited below.
    exchange.response.catch(() => {});
    let endedBy: 'timeout' | 'aborted' | null = null;
    const over = new AbortController();
    const end = (reason: 'timeout' | 'aborted', message: string): void => {
      endedBy ??= reason;
      over.abort();
      exchange.end(new Error(message));
    };
    const abort = (): void => end('aborted', 'the request was aborted: the service is closing, or the call has ended');
    const timer = this.#clock.setTimer(post.timeoutMs, () => end('timeout', `no response within ${post.timeoutMs} ms`));
    this.#inFlight.add(abort);
    post.signal?.addEventListener('abort', abort);
    try {
      if (this.#isAborted || post.signal?.aborted === true) abort();
      else await this.#dispatch(post, exchange, over.signal);
      const response = await exchange.response;
      return {
        outcome: outcomeOf(response, post.reads, this.#clock.nowMs() - startMs),
        retryAfterMs: parseRetryAfterMs(headerText(response, 'retry-after'), this.#clock.wallMs()),
      };
    } catch (thrown) {
      const error = toError(thrown);
      const reason = endedBy ?? failureOf(error);
      const latencyMs = this.#clock.nowMs() - startMs;
      return { outcome: { ok: false, reason, status: null, message: describe(error), latencyMs }, retryAfterMs: 0 };
    } finally {
      timer.cancel();
      this.#inFlight.delete(abort);
      post.signal?.removeEventListener('abort', abort);
    }
  }

  /** Aborts the requests in flight, and every later one. */
  abort(): void {
    this.#isAborted = true;
    for (const each of [...this.#inFlight]) each();
  }

  async close(): Promise<void> {
    await Promise.all([this.#guarded.destroy(), this.#open.destroy()]);
  }

  /** Looks up the host within the limits of the organization, and dispatches the request. */
  async #dispatch(post: WebhookPost, exchange: WebhookExchange, signal: AbortSignal): Promise<void> {
    const url = this.#urls.of(post.url);
    if (url === null || !isHttp.has(url.protocol)) {
      throw new RefusedTarget('The webhook URL is not an http or https URL.');
    }
    const allowed = this.#allowsPrivate(url);
    if (!allowed) checkLiteral(url, this.#addresses);
    try {
      await this.#lookUp(url, { orgId: post.orgId, signal, isGuarded: !allowed });
    } catch (thrown) {
      // After an abort, `end` has already rejected the exchange, so the lookup's error is dropped.
      if (!signal.aborted) throw thrown;
    }
    if (signal.aborted) return;
    const { headers, body } = post;
    const path = `${url.pathname}${url.search}`;
    // The timer of `post` is the only time limit, because it follows the injected clock.
    const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
    const dispatcher = allowed ? this.#open : this.#guarded;
    dispatcher.dispatch({ origin: url.origin, path, method: 'POST', headers, body, ...timeouts }, exchange);
  }

  async #lookUp({ hostname }: URL, lookup: LookupRequest & { readonly isGuarded: boolean }): Promise<void> {
    const host = hostname.replace(/^\[|\]$/g, '');
    const addresses = await this.#resolver.lookup(host, lookup);
    if (lookup.isGuarded) checkAddresses(host, addresses, this.#addresses);
  }
}

function outcomeOf(response: ReceiverResponse, reads: ResponseReading, latencyMs: number): WebhookOutcome {
  const { status, body, isTooLong } = response;
  const text = isTooLong ? '' : new TextDecoder().decode(body);
  const parsed = parseJson(text);
  if (!isSuccess(status)) {
    const read = reads === 'nothing' || text === '' ? {} : { body: parsed === null ? text : parsed.value };
    return {
      ok: false,
      reason: 'status',
      status,
      message: `the receiver responded with HTTP ${status}`,
      latencyMs,
      ...read,
    };
  }
  if (reads === 'nothing') return { ok: true, status, body: null, latencyMs };
  if (!isTooLong && parsed !== null) return { ok: true, status, body: parsed.value, latencyMs };
  if (!isTooLong && reads === 'json-or-text' && isPlainText(response))
    return { ok: true, status, body: text, latencyMs };
  const message = isTooLong ? `the response exceeds ${maxResponseBytes} bytes` : 'the response is not JSON';
  return { ok: false, reason: 'invalid_answer', status, message, latencyMs };
}

function isPlainText(response: ReceiverResponse): boolean {
  return /^text\/plain\b/i.test(headerText(response, 'content-type') ?? '');
}

function parseJson(text: string): { value: unknown } | null {
  if (text.trim() === '') return { value: {} };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

function failureOf(error: Error): 'refused' | 'network' {
  return error instanceof RefusedTarget || error.cause instanceof RefusedTarget ? 'refused' : 'network';
}

function describe(error: Error): string {
  // The error of a connection to several addresses has no message of its own.
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map(toError).map(describe).join('; ');
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && !error.message.includes(code) ? `${error.message} (${code})` : error.message;
}

function headerText({ headers }: ReceiverResponse, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
