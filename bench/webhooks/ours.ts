import { systemClock, systemRandom, uuidv7, type WebhookMessage, WebhookOutbox } from '@va/core/adapter';
import { postgres } from '@va/storage/postgres';
import { silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import { createOrganizationOperations } from '../../packages/core/src/operations/accounts/organizations.ts';
import { createWebhookHost } from '../../packages/core/src/webhooks/webhook-host.ts';
import { contentOf } from './body.ts';
import { backlogDelayMs, batch, deliveries } from './settings.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** The dispatcher with the service's storage: webhooks are signed, logged, and stored before they are sent. */
export async function startOurs(
  connectionString: string,
  urls: readonly string[],
): Promise<{
  deliver(urls: readonly string[]): Promise<void>;
  /** Emits events at a steady rate, without waiting for their delivery. */
  pace(urls: readonly string[], count: number, perSecond: number): Promise<void>;
  /** Stores jobs that all become due after `backlogDelayMs`, such as those left by a dead process. */
  pile(urls: readonly string[], count: number): Promise<void>;
  /** Resolves when the stored jobs become due. Rejects when they are due already. */
  untilDue(): Promise<void>;
  close(): Promise<void>;
}> {
  const storage = postgres({ connectionString, migrations: 'auto', maxConnections: 10 });
  await storage.start();
  const { jobs } = storage;
  if (jobs === undefined) throw new Error('PostgreSQL has a queue.');
  const dispatcher = webhooks({ allowPrivateTargets: true });
  const deps = { storage, jobs, clock: systemClock, random: systemRandom, logger: silentLogger };
  const outbox = new WebhookOutbox({ ...deps, webhooks: dispatcher });
  dispatcher.start(createWebhookHost({ ...deps, emit: () => {} }));
  const organizations = new Map<string, string>();
  const operations = createOrganizationOperations(deps);
  for (const [n, webhook_url] of urls.entries()) {
    const settings = { name: `Customer ${n}`, webhook_url, webhook_secret: secret };
    organizations.set(webhook_url, (await operations.create(settings)).id);
  }

  let dueAtMs = 0;

  function message(url: string, n: number): WebhookMessage {
    const orgId = organizations.get(url) ?? '';
    const callId = uuidv7(systemClock);
    return {
      event: 'end-of-call-report',
      target: { url, secret },
      orgId,
      agentId: null,
      callId,
      message: contentOf(n),
    };
  }

  async function tell(messages: readonly WebhookMessage[]): Promise<void> {
    const outgoing = outbox.prepare(messages);
    await jobs?.send(outgoing.jobs);
    outgoing.dispatch();
  }

  return {
    async deliver(urls) {
      for (let n = 0; n < deliveries; n += batch) {
        await tell(Array.from({ length: batch }, (_, m) => message(urls[(n + m) % urls.length] ?? '', n + m)));
      }
      await dispatcher.settled();
    },

    async pace(urls, count, perSecond) {
      const startMs = performance.now();
      const telling: Promise<void>[] = [];
      for (let n = 0; n < count; ) {
        const due = Math.min(count, Math.floor(((performance.now() - startMs) / 1_000) * perSecond));
        for (; n < due; n += 1) telling.push(tell([message(urls[n % urls.length] ?? '', n)]));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      await Promise.all(telling);
    },

    async pile(urls, count) {
      dueAtMs = performance.now() + backlogDelayMs;
      for (let n = 0; n < count; n += 1_000) {
        const messages = Array.from({ length: 1_000 }, (_, m) => {
          const { sent_at, ...content } = contentOf(n + m);
          return { ...message(urls[(n + m) % urls.length] ?? '', n + m), message: content };
        });
        await jobs?.send(
          outbox.prepare(messages).jobs.map((job) => ({ ...job, afterMs: dueAtMs - performance.now() })),
        );
      }
    },

    async untilDue() {
      const waitMs = dueAtMs - performance.now();
      if (waitMs < 0) throw new Error('The backlog came up before it was to: raise backlogDelayMs.');
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    },

    async close() {
      await dispatcher.close({ drainMs: 0 });
      await storage.close();
    },
  };
}
