import { type Clock, toError, type WebhookOutcome } from '@va/core';
import { Agent, type Dispatcher } from 'undici';
import { parseRetryAfterMs } from './retry-schedule.ts';
import { checkLiteral, lookupPublic, RefusedTarget } from './target-guard.ts';

const maxAnswerBytes = 1_048_576;

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** False where nobody reads the answer's body: then any will do. */
  readonly readsAnswer: boolean;
}

export interface PostResult {
  readonly outcome: WebhookOutcome;
  /** What the answer's `Retry-After` asked for; 0 without one. */
  readonly retryAfterMs: number;
}

/** Posts over kept-alive connections. Redirects are answers like any other: following one would leave the guard behind. */
export class Sender {
  readonly #guarded = new Agent({ connect: { lookup: lookupPublic } });
  readonly #open = new Agent();
  readonly #clock: Clock;
  readonly #allowsPrivate: (url: URL) => boolean;

  constructor(options: { clock: Clock; allowsPrivate: (url: URL) => boolean }) {
    this.#clock = options.clock;
    this.#allowsPrivate = options.allowsPrivate;
  }

  /** Never rejects: whatever goes wrong is an outcome. */
  async post(post: Post): Promise<PostResult> {
    const startMs = this.#clock.nowMs();
    const aborter = new AbortController();
    let timedOut = false;
    const timer = this.#clock.setTimer(post.timeoutMs, () => {
      timedOut = true;
      aborter.abort();
    });
    const abort = (): void => aborter.abort();
    post.signal.addEventListener('abort', abort);
    if (post.signal.aborted) abort();

    const latencyMs = (): number => this.#clock.nowMs() - startMs;
    try {
      const response = await this.#request(post, aborter.signal);
      return {
        outcome: await answered(response, post.readsAnswer, latencyMs),
        retryAfterMs: parseRetryAfterMs(headerText(response, 'retry-after'), this.#clock.wallMs()),
      };
    } catch (thrown) {
      const error = toError(thrown);
      const reason = timedOut ? 'timeout' : post.signal.aborted ? 'aborted' : failureOf(error);
      const message = timedOut ? `no answer within ${post.timeoutMs} ms` : describe(error);
      return { outcome: { ok: false, reason, status: null, message, latencyMs: latencyMs() }, retryAfterMs: 0 };
    } finally {
      timer.cancel();
      post.signal.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#guarded.destroy(), this.#open.destroy()]);
  }

  async #request(post: Post, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const url = parseTarget(post.url);
    const allowed = this.#allowsPrivate(url);
    if (!allowed) checkLiteral(url);
    const { headers, body } = post;
    const path = `${url.pathname}${url.search}`;
    // The own timer is the only one: it stands still when the injected clock does.
    const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
    const dispatcher = allowed ? this.#open : this.#guarded;
    return await dispatcher.request({ origin: url.origin, path, method: 'POST', headers, body, signal, ...timeouts });
  }
}

function parseTarget(text: string): URL {
  if (/^https?:/i.test(text) && URL.canParse(text)) return new URL(text);
  throw new RefusedTarget('The webhook URL is not an http or https URL.');
}

async function answered(
  response: Dispatcher.ResponseData,
  readsAnswer: boolean,
  latencyMs: () => number,
): Promise<WebhookOutcome> {
  const { statusCode: status, body } = response;
  // An answer that is cut off emits this besides rejecting the read.
  body.on('error', () => {});
  const succeeded = status >= 200 && status < 300;
  if (!succeeded || !readsAnswer) {
    await body.dump({ limit: maxAnswerBytes }).catch(() => {});
    if (succeeded) return { ok: true, status, body: null, latencyMs: latencyMs() };
    return { ok: false, reason: 'status', status, message: `answered ${status}`, latencyMs: latencyMs() };
  }
  const text = await readText(body);
  const parsed = text === null ? null : parseJson(text);
  if (parsed !== null) return { ok: true, status, body: parsed.value, latencyMs: latencyMs() };
  const message = text === null ? `answered more than ${maxAnswerBytes} bytes` : 'answered what is not JSON';
  return { ok: false, reason: 'invalid_answer', status, message, latencyMs: latencyMs() };
}

/** Null where the body is larger than an answer may be. */
async function readText(body: AsyncIterable<Uint8Array>): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  for await (const chunk of body) {
    byteLength += chunk.byteLength;
    if (byteLength > maxAnswerBytes) return null;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
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
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && !error.message.includes(code) ? `${error.message} (${code})` : error.message;
}

function headerText(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
