import { timestamp } from '../clock/timestamp.ts';
import { uuidv8 } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Job, NewJob } from '../ports/jobs.ts';
import type { OutgoingWebhook, WebhookEvent, WebhookMessage } from '../ports/webhooks.ts';

/** The queue of the jobs that deliver webhooks. */
export const webhookQueue = 'webhooks';

export interface SealContext {
  readonly clock: Clock;
  /** Returns a new UUID, for a message that has no place in the sequence of a call. */
  readonly nextId: () => string;
}

/**
 * Serializes a message, so that every attempt sends the same bytes under the same id.
 *
 * Properties are listed one by one: spreading them from another object took as long as serializing the body.
 */
export function sealWebhook(message: WebhookMessage, { clock, nextId }: SealContext): OutgoingWebhook {
  const { event, orgId, agentId, callId, target, sent, sequence = null } = message;
  const { url } = target;
  if (sent !== undefined) {
    const { webhookId, body } = sent;
    const [, known] = /^msg_([0-9a-f-]{36})$/.exec(webhookId) ?? [];
    const id = known ?? nextId();
    const order = { sequence: null, predecessorId: null };
    return { id, webhookId, event, orgId, agentId, callId, url, body, attempts: 0, isRedelivery: true, ...order };
  }
  const id = callId === null || sequence === null ? nextId() : webhookIdOf(callId, sequence);
  const webhookId = `msg_${id}`;
  const content = { type: event, timestamp: timestamp(clock), ...message.message };
  const body = JSON.stringify({ message: content });
  const predecessorId = message.predecessorId ?? predecessorOf(callId, sequence);
  return {
    id,
    webhookId,
    event,
    orgId,
    agentId,
    callId,
    sequence,
    predecessorId,
    url,
    body,
    attempts: 0,
    isRedelivery: false,
  };
}

/** Returns the job that delivers a webhook, due after the given time. */
export function webhookJob({ id, ...data }: OutgoingWebhook, afterMs: number): NewJob {
  return { queue: webhookQueue, id, data, afterMs, group: data.orgId };
}

/** Reads a job of the webhook queue, also one stored by an earlier version; null for other data. */
export function readWebhookJob({ id, data }: Job): OutgoingWebhook | null {
  const { webhookId, event, orgId, agentId, callId, url, body, attempts, sequence } = data;
  if (typeof webhookId !== 'string' || typeof orgId !== 'string' || typeof url !== 'string') return null;
  if (typeof body !== 'string' || typeof attempts !== 'number' || !isEvent(event)) return null;
  // Earlier versions named the predecessor `after` and a redelivery `isAskedFor`.
  const { predecessorId = data.after, isRedelivery = data.isAskedFor } = data;
  return {
    id,
    webhookId,
    event,
    orgId,
    agentId: typeof agentId === 'string' ? agentId : null,
    callId: typeof callId === 'string' ? callId : null,
    sequence: typeof sequence === 'number' ? sequence : null,
    predecessorId: typeof predecessorId === 'string' ? predecessorId : null,
    url,
    body,
    attempts,
    isRedelivery: isRedelivery === true,
  };
}

function predecessorOf(callId: string | null, sequence: number | null): string | null {
  return callId === null || sequence === null || sequence <= 1 ? null : webhookIdOf(callId, sequence - 1);
}

/**
 * Derives the id of a call's webhook from its sequence number, so that its predecessor is known without a lookup, and a
 * repeated transaction stores it once.
 */
function webhookIdOf(callId: string, sequence: number): string {
  return uuidv8(`webhook ${callId} ${sequence}`);
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
