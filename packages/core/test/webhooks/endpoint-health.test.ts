import { memory } from '@va/storage/memory';
import { silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WebhookEndpoint } from '../../src/domain/webhooks/webhook-endpoint.ts';
import { systemRandom } from '../../src/ids.ts';
import { InProcessJobs } from '../../src/jobs/in-process-jobs.ts';
import type { WebhookAttempt } from '../../src/ports/webhooks.ts';
import { EndpointHealth, enableAgain } from '../../src/webhooks/endpoint-health.ts';

const orgId = '00000000-0000-7000-8000-00000000000a';
const url = 'https://customer.example/hook';
const day = 24 * 3_600_000;

let clock: VirtualClock;
let storage: ReturnType<typeof memory>;
let jobs: InProcessJobs;
let health: EndpointHealth;
let told: { orgId: string; endpoint: WebhookEndpoint }[];

beforeEach(() => {
  clock = new VirtualClock();
  storage = memory();
  jobs = new InProcessJobs(clock);
  told = [];
  health = newHealth();
});

function newHealth(): EndpointHealth {
  return new EndpointHealth({
    ...{ storage, jobs, clock, random: systemRandom, logger: silentLogger },
    mails: {
      endpointJobs: async (_tx, _orgId, { id }) => [{ queue: 'mails', id, data: { endpoint: id }, afterMs: 0 }],
    },
    onDisabled: (event) => told.push(event),
  });
}

function attempt(status: number, changes: Partial<WebhookAttempt> = {}): WebhookAttempt {
  const ok = status < 300;
  return {
    ...{ webhookId: 'msg_1', event: 'end-of-call-report', url, orgId, agentId: null, callId: null, attempt: 1 },
    isLast: false,
    outcome: ok
      ? { ok, status, body: null, latencyMs: 1 }
      : { ok: false, reason: 'status', status, message: `answered ${status}`, latencyMs: 1 },
    ...{ headers: {}, body: '{}' },
    ...changes,
  };
}

describe('EndpointHealth', () => {
  it('disables an endpoint that returns 410 for its organization only, and emits an event', async () => {
    await health.observe([attempt(410)]);
    expect(await health.disabled(orgId, url)).toContain('410');
    expect(await health.disabled('00000000-0000-7000-8000-00000000000b', url)).toBeNull();
    expect(told).toMatchObject([{ orgId, endpoint: { url } }]);
  });

  it('disables an endpoint that fails for five days without a success', async () => {
    await health.observe([attempt(500)]);
    await clock.advance(3 * day);
    await health.observe([attempt(500), attempt(200), attempt(500)]);
    await clock.advance(3 * day);
    await health.observe([attempt(500)]);
    expect(await health.disabled(orgId, url)).toBeNull();
    await clock.advance(2 * day);
    await health.observe([attempt(500), attempt(500)]);
    expect(await health.disabled(orgId, url)).toContain('Nothing was delivered since');
    expect(told).toHaveLength(1);
  });

  it('sends one notification when several processes disable an endpoint', async () => {
    const other = newHealth();
    await Promise.all([health.observe([attempt(410)]), other.observe([attempt(410)])]);
    await health.observe([attempt(410)]);
    const [endpoint] = await storage.webhookEndpoints.list(orgId, { limit: 9 });
    expect(await jobs.take('mails', 9)).toMatchObject([{ data: { endpoint: endpoint?.id } }]);
    expect(told).toHaveLength(1);
  });

  it('loads disabled endpoints in later processes', async () => {
    await health.observe([attempt(410)]);
    const next = newHealth();
    await next.load();
    expect(await next.disabled(orgId, url)).not.toBeNull();
  });

  it('enables an endpoint when its URL is set again or a test delivery succeeds', async () => {
    await health.observe([attempt(410)]);
    await storage.transaction((tx) => enableAgain(tx, orgId, url));
    expect(await health.disabled(orgId, url)).toBeNull();
    await health.observe([attempt(410)]);
    await health.observe([attempt(200, { event: 'test' })]);
    expect(await health.disabled(orgId, url)).toBeNull();
  });

  it('ignores responses to tool-calls', async () => {
    await health.observe([attempt(410, { event: 'tool-calls' })]);
    expect(await health.disabled(orgId, url)).toBeNull();
  });
});
