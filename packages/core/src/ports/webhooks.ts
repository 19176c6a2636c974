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
  /** What `notifyWith` gave for the message of the same call that this one must not overtake. */
  readonly after?: string | null;
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

/** A message that was stored and comes up again, without its secrets. */
export interface StoredWebhook {
  readonly event: WebhookEvent;
  readonly orgId: string;
  readonly agentId: string | null;
  readonly url: string;
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
  targetOf(message: StoredWebhook): Promise<WebhookTarget | null>;
  /** Why nothing is sent to the URL by itself; null where it is. */
  disabled(orgId: string, url: string): Promise<string | null>;
  onAttempt(attempt: WebhookAttempt): void;
}

/**
 * Stores the change that messages tell of and, in the same transaction, the jobs that bring them. False where there was nothing to
 * change after all: then nobody is told.
 */
export type StoreWithJobs = (jobs: readonly NewJob[]) => Promise<boolean>;

/** Brings events to the customer's server. */
export interface WebhookDispatcher {
  /** How many messages are being sent, or about to be; for whoever watches. */
  readonly inHand?: number;
  start(host: WebhookHost): void;
  /**
   * Asks and waits for the answer (assistant-request, tool-calls). Sent at once, after what is in hand for the same
   * call has had its first attempt; never repeated. An empty body is `{}`; one that is not JSON is `invalid_answer`, unless text is
   * accepted.
   */
  request(message: WebhookMessage, options: WebhookRequestOptions): Promise<WebhookOutcome>;
  /**
   * Tells of a change, in the order of the messages, with retries that outlive the process: `store` is called once with
   * their jobs, and the first attempts follow at once when it has stored them. Resolves then, to what the next message of the
   * call goes `after`; null where nobody is told. Rejects with what `store` throws, and then nobody is told.
   */
  notifyWith(messages: readonly WebhookMessage[], store: StoreWithJobs): Promise<string | null>;
  /** Tells of what needs no storing, such as what is sent again. Returns at once; what cannot be stored is logged. */
  notify(message: WebhookMessage): void;
  /** Resolves when nothing is in hand for the call (or, without one, at all). What waits to be repeated is in no hand. */
  settled(callId?: string): Promise<void>;
  /** Waits up to `drainMs` for what is in hand, then lets go of it, to be tried by the next process, and closes all connections. */
  close(options: { drainMs: number }): Promise<void>;
}
