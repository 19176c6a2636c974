import type { Clock } from './clock.ts';
import type { JobQueue, NewJob } from './jobs.ts';
import type { Logger } from './logger.ts';

export interface WebhookTarget {
  readonly url: string;
  /** Signs the request: `whsec_` + base64, or any raw text. Empty: the request is sent without signatures and token. */
  readonly secret: string;
  /** The secret before that one, while it is in its grace: the request is signed with both. */
  readonly previousSecret?: string | null;
}

/** The events of the contract with the customer's server; `test` is sent when somebody asks for it. */
export type WebhookEvent =
  | 'assistant-request'
  | 'tool-calls'
  | 'status-update'
  | 'end-of-call-report'
  | 'campaign-update'
  | 'test';

export interface WebhookMessage {
  readonly event: WebhookEvent;
  readonly target: WebhookTarget;
  readonly orgId: string;
  readonly agentId: string | null;
  /** Null for a message that is about no call. */
  readonly callId: string | null;
  /** The content of the body's `message`, without `type` and `timestamp`, which the dispatcher adds. */
  readonly message: Record<string, unknown>;
  /** The span that a request is part of, as the header `traceparent` has it. */
  readonly traceparent?: string | null;
  /** Position among the stored webhooks of the call, from 1: they are delivered in this order. Absent: no order. */
  readonly sequence?: number;
  /** The job that this message must not overtake, where it is not the one before it in the sequence. */
  readonly predecessorId?: string | null;
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
      /** Of `status`, where answers are read: JSON, or text. Absent where there was none. */
      body?: unknown;
    };

export interface WebhookRequestOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Whether a body of `text/plain` that is not JSON is an answer too, as a string. */
  readonly acceptsText?: boolean;
  /** Names what of an answer's body is ignored, for the log of deliveries. */
  readonly faultsOf?: (body: unknown) => readonly string[];
}

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
  /** The parts of the answer that are ignored, and why. */
  readonly ignored?: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A webhook as it is stored and sent: the same id and the same bytes at every attempt. It contains no secret. */
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
  /** Time on the monotonic clock until which the job belongs to this process; null if any process may take it. */
  readonly leaseEndsMs: number | null;
}

/** What came of some attempts. */
export interface WebhookResults {
  readonly attempts: readonly WebhookAttempt[];
  /** Ids of jobs of the queue `webhooks` that are over. */
  readonly done: readonly string[];
  /** Those that come up again. */
  readonly again: readonly NewJob[];
}

export interface WebhookHost {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly jobs: JobQueue;
  /** Stores the log of the attempts and what becomes of their jobs in one transaction. */
  settle(results: WebhookResults): Promise<void>;
  /** Where a stored message goes today; null where nobody is there any more who may have it. */
  targetOf(webhook: Pick<OutgoingWebhook, 'event' | 'orgId' | 'agentId' | 'url'>): Promise<WebhookTarget | null>;
  /** Why nothing is sent to the URL by itself; null where it is. */
  disabled(orgId: string, url: string): Promise<string | null>;
  onAttempt(attempt: WebhookAttempt): void;
}

/** Brings events to the customer's server. */
export interface WebhookDispatcher {
  /** How many messages are being sent, or about to be; for whoever watches. */
  readonly inHand?: number;
  start(host: WebhookHost): void;
  /**
   * Asks and waits for the answer (assistant-request, tool-calls). Sent at once, after what is in hand for the same
   * call has had its first attempt; never repeated. An empty body is `{}`; one that is not JSON is `invalid_answer`,
   * unless text is accepted.
   */
  request(message: WebhookMessage, options: WebhookRequestOptions): Promise<WebhookOutcome>;
  /** Returns true if the first attempts of webhooks to all of these URLs can start at once. */
  hasRoom(urls: readonly string[]): boolean;
  /**
   * Attempts webhooks whose jobs were just committed, in their order. Those with a lease MUST be attempted at once or
   * put back into the queue; those without one come up from the queue. Returns at once.
   */
  deliver(stored: readonly StoredWebhook[]): void;
  /**
   * Resolves when nothing is in hand for the call (or, without one, at all). What waits to be repeated is in no hand.
   */
  settled(callId?: string): Promise<void>;
  /**
   * Waits up to `drainMs` for what is in hand, then lets go of it, to be tried by the next process, and closes all
   * connections.
   */
  close(options: { drainMs: number }): Promise<void>;
}
