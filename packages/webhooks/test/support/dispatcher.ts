import {
  type Clock,
  InProcessJobs,
  systemRandom,
  type WebhookAttempt,
  type WebhookDispatcher,
  type WebhookEvent,
  type WebhookHost,
  type WebhookMessage,
  WebhookOutbox,
} from '@va/core/adapter';
import { silentLogger } from '@va/testkit';
import { webhooks } from '../../src/index.ts';

export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** Returns a host with a queue in memory and without a delivery log. Targets of stored webhooks do not change. */
export function testHost(clock: Clock, changes: Partial<WebhookHost> = {}): WebhookHost {
  const jobs = changes.jobs ?? new InProcessJobs(clock);
  return {
    clock,
    logger: silentLogger,
    jobs,
    settle: ({ done, again }) => jobs.settle('webhooks', { done, again }),
    targetOf: async ({ url }) => ({ url, secret }),
    disabled: async () => null,
    onAttempt() {},
    ...changes,
  };
}

/** Starts a dispatcher without jitter. */
export function startDispatcher(
  clock: Clock,
  changes: Partial<WebhookHost> = {},
): { dispatcher: WebhookDispatcher; attempts: WebhookAttempt[]; host: WebhookHost } {
  const attempts: WebhookAttempt[] = [];
  const host = testHost(clock, { onAttempt: (attempt) => attempts.push(attempt), ...changes });
  const random = (count: number): Uint8Array => (count === 1 ? new Uint8Array(1) : systemRandom(count));
  const dispatcher = webhooks({ allowPrivateTargets: true, random });
  dispatcher.start(host);
  return { dispatcher, attempts, host };
}

const sequences = new WeakMap<WebhookDispatcher, Map<string, number>>();

/** Numbers the webhooks of a call, except redelivered ones. */
function inOrder(dispatcher: WebhookDispatcher, message: WebhookMessage): WebhookMessage {
  if (message.callId === null || message.sent !== undefined) return message;
  const known = sequences.get(dispatcher) ?? new Map<string, number>();
  const sequence = (known.get(message.callId) ?? 0) + 1;
  sequences.set(dispatcher, known.set(message.callId, sequence));
  return { ...message, sequence };
}

/** Stores and delivers webhooks in the order of their calls; returns the id of the last one's job. */
export async function storeAndDeliver(
  { dispatcher, host }: { dispatcher: WebhookDispatcher; host: WebhookHost },
  ...messages: WebhookMessage[]
): Promise<string | null> {
  const { clock, logger } = host;
  const outgoing = new WebhookOutbox({ webhooks: dispatcher, clock, logger, random: systemRandom }).prepare(
    messages.map((message) => inOrder(dispatcher, message)),
  );
  await host.jobs.send(outgoing.jobs);
  outgoing.dispatch();
  return outgoing.jobs.at(-1)?.id ?? null;
}

export function webhook(
  url: string,
  event: WebhookEvent,
  message: Record<string, unknown> = {},
  callId = 'call-1',
): WebhookMessage {
  return { event, target: { url, secret }, orgId: 'org-1', agentId: null, callId, message };
}

/** Resolves once the condition holds. Sockets need real time. */
export async function until(condition: () => boolean): Promise<void> {
  const deadlineMs = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > deadlineMs) throw new Error('The condition did not hold within 5 s.');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
