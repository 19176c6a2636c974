import type {
  Clock,
  StoredWebhook,
  WebhookDispatcher,
  WebhookHost,
  WebhookMessage,
  WebhookOutcome,
} from '@va/core/adapter';
import { endJobs, messageOf } from './delivered-webhooks.ts';

/** A tool call as the customer's server receives it. */
export interface ReceivedToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Record<string, unknown>;
  /** The complete webhook, as it would be sent. */
  readonly webhook: WebhookMessage;
}

/** Options of the customer's server. */
export interface CustomerServerOptions {
  readonly clock: Clock;
  /**
   * Returns the result of a tool call. It may be delayed: the time-out of the request applies. A rejection counts as a
   * network failure.
   */
  readonly runTool: (call: ReceivedToolCall, signal: AbortSignal) => Promise<WebhookOutcome>;
}

/**
 * The customer's server without a network: runs tools within the time-outs of the service, and records received
 * webhooks.
 */
export class CustomerServer implements WebhookDispatcher {
  #host: WebhookHost | null = null;
  readonly received: WebhookMessage[] = [];
  readonly #options: CustomerServerOptions;

  constructor(options: CustomerServerOptions) {
    this.#options = options;
  }

  start(host: WebhookHost): void {
    this.#host = host;
  }

  async request(message: WebhookMessage, options: { timeoutMs: number; signal: AbortSignal }): Promise<WebhookOutcome> {
    this.received.push(message);
    const { clock, runTool } = this.#options;
    const call = toolCallOf(message);
    if (call === null) return { ok: true, status: 200, body: {}, latencyMs: 0 };
    const askedAtMs = clock.nowMs();
    const abort = new AbortController();
    return await new Promise((resolve) => {
      const settle = (outcome: WebhookOutcome): void => {
        timer.cancel();
        options.signal.removeEventListener('abort', stop);
        abort.abort();
        resolve({ ...outcome, latencyMs: clock.nowMs() - askedAtMs });
      };
      const fail = (reason: 'timeout' | 'aborted' | 'network', text: string): void =>
        settle({ ok: false, reason, status: null, message: text, latencyMs: 0 });
      const stop = (): void => fail('aborted', 'aborted');
      const timer = clock.setTimer(options.timeoutMs, () => fail('timeout', 'no response in time'));
      options.signal.addEventListener('abort', stop, { once: true });
      runTool(call, abort.signal).then(settle, (thrown: unknown) =>
        fail('network', thrown instanceof Error ? thrown.message : String(thrown)),
      );
    });
  }

  hasRoom(): boolean {
    return true;
  }

  deliver(stored: readonly StoredWebhook[]): void {
    this.received.push(...stored.map(messageOf));
    endJobs(this.#host, stored);
  }

  async settled(): Promise<void> {}

  async close(): Promise<void> {}
}

function toolCallOf(webhook: WebhookMessage): ReceivedToolCall | null {
  const list = webhook.message.toolCallList;
  const [first] = Array.isArray(list) ? (list as unknown[]) : [];
  if (webhook.event !== 'tool-calls' || !isToolCall(first)) return null;
  return { id: first.id, name: first.function.name, arguments: first.function.arguments, webhook };
}

function isToolCall(
  value: unknown,
): value is { id: string; function: { name: string; arguments: Record<string, unknown> } } {
  return typeof value === 'object' && value !== null && 'id' in value && 'function' in value;
}
