import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';

export interface WebhookTarget {
  readonly url: string;
  /** Signs the request: `whsec_` + base64, or any raw text. */
  readonly secret: string;
}

/** The events of the contract with the customer's server; `test` is sent when somebody asks for it. */
export type WebhookEvent = 'assistant-request' | 'tool-calls' | 'status-update' | 'end-of-call-report' | 'test';

export interface WebhookMessage {
  readonly event: WebhookEvent;
  readonly target: WebhookTarget;
  readonly orgId: string;
  readonly agentId: string | null;
  /** Null for a message that is about no call. */
  readonly callId: string | null;
  /** The content of the body's `message`, without `type` and `timestamp`, which the dispatcher adds. */
  readonly message: Record<string, unknown>;
  /** Present where the message was sent before: it goes out under the same id with the same body. */
  readonly sent?: { readonly webhookId: string; readonly body: string };
}

/** How an exchange with the customer's server came out. It never throws for what the other side did. */
export type WebhookOutcome =
  | { ok: true; status: number; body: unknown; latencyMs: number }
  | {
      ok: false;
      reason: 'timeout' | 'status' | 'network' | 'invalid_answer' | 'refused' | 'aborted';
      status: number | null;
      message: string;
      latencyMs: number;
    };

/** What was tried, for the log and for whoever watches. */
export interface WebhookAttempt {
  readonly webhookId: string;
  readonly event: WebhookEvent;
  readonly url: string;
  readonly orgId: string;
  readonly agentId: string | null;
  readonly callId: string | null;
  readonly attempt: number;
  /** No other attempt follows by itself. */
  readonly isLast: boolean;
  readonly outcome: WebhookOutcome;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookHost {
  readonly clock: Clock;
  readonly logger: Logger;
  onAttempt(attempt: WebhookAttempt): void;
}

/** Brings events to the customer's server. */
export interface WebhookDispatcher {
  start(host: WebhookHost): void;
  /**
   * Asks and waits for the answer (assistant-request, tool-calls). Sent at once, after what `notify` has in hand for the same
   * call has had its first attempt; never repeated. A body that is not JSON is `invalid_answer`; an empty one is `{}`.
   */
  request(message: WebhookMessage, options: { timeoutMs: number; signal: AbortSignal }): Promise<WebhookOutcome>;
  /** Tells, in order per call, with retries. Returns at once. */
  notify(message: WebhookMessage): void;
  /** Resolves when nothing is in hand for the call (or, without one, at all). */
  settled(callId?: string): Promise<void>;
  /** Waits up to `drainMs` for what is in hand, then gives up on it and closes all connections. */
  close(options: { drainMs: number }): Promise<void>;
}
