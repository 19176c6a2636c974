import { type Clock, type Job, type NewJob, timestamp, type WebhookEvent, type WebhookMessage } from '@va/core';

/** The queue of the jobs that bring webhooks. */
export const webhookQueue = 'webhooks';

/** A message ready to be sent: the same id and the same bytes, however often. It is what a job has, so that it holds no secret. */
export interface Delivery {
  /** Of its job. */
  readonly id: string;
  readonly webhookId: string;
  readonly event: WebhookEvent;
  readonly orgId: string;
  readonly agentId: string | null;
  readonly callId: string | null;
  readonly url: string;
  readonly body: string;
  /** How many attempts were made. */
  readonly attempts: number;
  /** The job that it must not overtake. */
  readonly after: string | null;
  /** Somebody asked for it to be sent once more: it waits for nothing of its call, and goes to a disabled endpoint too. */
  readonly isAskedFor: boolean;
}

export interface SealOptions {
  readonly clock: Clock;
  /** Gives UUIDs of which each is above the one before it: their order is the order of what they stand for. */
  readonly nextId: () => string;
  /** The job that the message must not overtake. */
  readonly after: string | null;
}

/** Each key is named: spread from another object, they took as long as to write the body. */
export function seal(message: WebhookMessage, { clock, nextId, after }: SealOptions): Delivery {
  const { event, orgId, agentId, callId, target, sent } = message;
  const { url } = target;
  if (sent !== undefined) {
    const { webhookId, body } = sent;
    const [, known] = /^msg_([0-9a-f-]{36})$/.exec(webhookId) ?? [];
    const id = known ?? nextId();
    return { id, webhookId, event, orgId, agentId, callId, url, body, attempts: 0, after: null, isAskedFor: true };
  }
  const id = nextId();
  const webhookId = `msg_${id}`;
  const content = { type: event, timestamp: timestamp(clock), ...message.message };
  const body = JSON.stringify({ message: content });
  return { id, webhookId, event, orgId, agentId, callId, url, body, attempts: 0, after, isAskedFor: false };
}

export function toJob({ id, ...data }: Delivery, afterMs: number): NewJob {
  return { queue: webhookQueue, id, data, afterMs };
}

/** Null for what no version of this service has stored. */
export function fromJob({ id, data }: Job): Delivery | null {
  const { webhookId, event, orgId, agentId, callId, url, body, attempts, after, isAskedFor } = data;
  if (typeof webhookId !== 'string' || typeof orgId !== 'string' || typeof url !== 'string') return null;
  if (typeof body !== 'string' || typeof attempts !== 'number' || !isEvent(event)) return null;
  return {
    ...{ id, webhookId, event, orgId, url, body, attempts },
    agentId: typeof agentId === 'string' ? agentId : null,
    callId: typeof callId === 'string' ? callId : null,
    after: typeof after === 'string' ? after : null,
    isAskedFor: isAskedFor === true,
  };
}

const events: ReadonlySet<unknown> = new Set<WebhookEvent>([
  'assistant-request',
  'tool-calls',
  'status-update',
  'end-of-call-report',
  'campaign-update',
  'test',
]);

function isEvent(value: unknown): value is WebhookEvent {
  return events.has(value);
}
