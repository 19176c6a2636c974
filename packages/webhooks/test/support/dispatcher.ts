import type { Clock, WebhookAttempt, WebhookDispatcher, WebhookEvent, WebhookMessage } from '@va/core';
import { silentLogger } from '@va/testkit';
import { webhooks } from '../../src/index.ts';

export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export function startDispatcher(clock: Clock): { dispatcher: WebhookDispatcher; attempts: WebhookAttempt[] } {
  const attempts: WebhookAttempt[] = [];
  const dispatcher = webhooks({ allowPrivateTargets: true, random: (count) => new Uint8Array(count) });
  dispatcher.start({ clock, logger: silentLogger, onAttempt: (attempt) => attempts.push(attempt) });
  return { dispatcher, attempts };
}

export function webhook(
  url: string,
  event: WebhookEvent,
  message: Record<string, unknown> = {},
  callId = 'call-1',
): WebhookMessage {
  return { event, target: { url, secret }, orgId: 'org-1', agentId: null, callId, message };
}

/** Waits in real time, as sockets do. */
export async function until(condition: () => boolean): Promise<void> {
  const deadlineMs = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > deadlineMs) throw new Error('It did not happen within 5 s.');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
