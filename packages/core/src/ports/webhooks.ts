import type { Clock } from './clock.ts';
import type { JobQueue, NewJob } from './jobs.ts';
import type { Logger } from './logger.ts';

/** URL of the customer's server, with the secrets that sign its webhooks. */
export interface WebhookTarget {
  readonly url: string;
  /** Signing secret: `whsec_` + base64, or any raw text. Empty: the request is sent without signatures and token. */
  readonly secret: string;
  /** The previous secret during its grace period: the request is signed with both. */
  readonly previousSecret?: string | null;
}

/** Webhook events; `test` is sent on request. */
export type WebhookEvent =
  | 'assistant-request'
  | 'tool-calls'
  | 'status-update'
  | 'end-of-call-report'
  | 'campaign-update'
  | 'test';

/** A webhook to send. */
export interface WebhookMessage {
  readonly event: WebhookEvent;
  readonly target: WebhookTarget;
  readonly orgId: string;
  readonly agentId: string | null;
  /** Null for a message without a call. */
  readonly callId: string | null;
  /** Content of the body's `message`, except `type` and `timestamp`, which the dispatcher adds. */
  readonly message: Record<string, unknown>;
  /** Parent span of the request, in the form of the header `traceparent`. */
  readonly traceparent?: string | null;
  /** Position among the stored webhooks of the call, from 1, which is the order of delivery. Absent: no order. */
  readonly sequence?: number;
  /** Job that this message must not overtake, if it is not the preceding one in the sequence. */
  readonly predecessorId?: string | null;
  /** Present for a redelivery, which has the same id and body. */
  readonly sent?: { readonly webhookId: string; readonly body: string };
}

/** Outcome of a request to the customer's server, failures included. */
export type WebhookOutcome =
  | { ok: true; status: number; body: unknown; latencyMs: number }
  | {
      ok: false;
      reason: 'timeout' | 'status' | 'network' | 'invalid_answer' | 'refused' | 'aborted';
      status: number | null;
      message: string;
      latencyMs: number;
      /** Parsed body of the response with this status: JSON or text. Absent if there is none. */
      body?: unknown;
    };

/** Options of a webhook whose response is awaited. */
export interface WebhookRequestOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** True if a `text/plain` body that is not JSON is accepted as a string. */
  readonly acceptsText?: boolean;
  /** Returns the ignored parts of a response body, for the delivery log. */
  readonly faultsOf?: (body: unknown) => readonly string[];
  /** True to wait until the delivery log has the attempt. By default, it is logged after the outcome is returned. */
  readonly untilLogged?: boolean;
}

/** An attempt to deliver a webhook, for the delivery log and for metrics. */
export interface WebhookAttempt {
  readonly webhookId: string;
  readonly event: WebhookEvent;
  readonly url: string;
  readonly orgId: string;
  readonly agentId: string | null;
  readonly callId: string | null;
  readonly attempt: number;
  /** True if no automatic attempt follows. */
  readonly isLast: boolean;
  readonly outcome: WebhookOutcome;
  /** Ignored parts of the response, with the reasons. */
  readonly ignored?: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A webhook as stored and sent: the same id and bytes in every attempt. Contains no secret. */
export interface OutgoingWebhook {
  /** Id of its job, a UUID. */
  readonly id: string;
  readonly webhookId: string;
  readonly event: WebhookEvent;
  readonly orgId: string;
  readonly agentId: string | null;
  readonly callId: string | null;
  /** Position among the webhooks of the call, from 1; null without an order. */
  readonly sequence: number | null;
  /** The job that must be done before this one is attempted. */
  readonly predecessorId: string | null;
  readonly url: string;
  readonly body: string;
  /** Attempts made so far. */
  readonly attempts: number;
  /** True if a redelivery was requested: it waits for no other webhook, and goes to a disabled endpoint too. */
  readonly isRedelivery: boolean;
}

/** A webhook whose job was just committed. */
export interface StoredWebhook {
  readonly webhook: OutgoingWebhook;
  /** Null: the dispatcher looks the target up. */
  readonly target: WebhookTarget | null;
  /** Time on the monotonic clock until which the job is leased to this process; null if any process may take it. */
  readonly leaseEndsMs: number | null;
}

/** Attempts to store in the delivery log, and the changes to their jobs. */
export interface WebhookResults {
  readonly attempts: readonly WebhookAttempt[];
  /** Ids of completed jobs of the queue `webhooks`. */
  readonly done: readonly string[];
  /** Jobs to retry. */
  readonly again: readonly NewJob[];
}

/** The service, as a webhook sender uses it. */
export interface WebhookHost {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly jobs: JobQueue;
  /** Stores the log of the attempts and the changes to their jobs in one transaction. */
  settle(results: WebhookResults): Promise<void>;
  /** Returns the current target of a stored message; null if none is configured any more. */
  targetOf(webhook: Pick<OutgoingWebhook, 'event' | 'orgId' | 'agentId' | 'url'>): Promise<WebhookTarget | null>;
  /** Returns why automatic delivery to the URL is disabled; null if enabled. */
  disabled(orgId: string, url: string): Promise<string | null>;
  onAttempt(attempt: WebhookAttempt): void;
}

/** Delivers webhooks to the customers' servers. */
export interface WebhookDispatcher {
  /** Number of webhooks in flight, for metrics. */
  readonly inFlight?: number;
  start(host: WebhookHost): void;
  /**
   * Sends a request and waits for the response (assistant-request, tool-calls). Sent at once, after the first attempts
   * of webhooks in flight for the same call; never repeated. An empty body is `{}`; one that is not JSON is
   * `invalid_answer`, unless text is accepted.
   */
  request(message: WebhookMessage, options: WebhookRequestOptions): Promise<WebhookOutcome>;
  /** Returns true if the first attempts of webhooks to all of these URLs can start at once. */
  hasRoom(urls: readonly string[]): boolean;
  /**
   * Attempts webhooks whose jobs were just committed, in their order. Those with a lease MUST be attempted at once or
   * returned to the queue; those without a lease come up from the queue. Returns at once.
   */
  deliver(stored: readonly StoredWebhook[]): void;
  /** Resolves when no webhook of the call, or of any call without `callId`, is in flight. Pending retries are not. */
  settled(callId?: string): Promise<void>;
  /**
   * Waits up to `drainMs` for webhooks in flight, then leaves the rest to the next process, and closes all connections.
   */
  close(options: { drainMs: number }): Promise<void>;
}
