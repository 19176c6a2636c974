import { memory } from '@va/storage/memory';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/ids.ts';
import { InProcessJobs } from '../../src/jobs/in-process-jobs.ts';
import type { WebhookAttempt, WebhookOutcome, WebhookResults } from '../../src/ports/webhooks.ts';
import { DeliveryLog } from '../../src/webhooks/delivery-log.ts';

const orgId = '00000000-0000-7000-8000-00000000000a';
const callId = '00000000-0000-7000-8000-0000000000cc';
const failed: WebhookOutcome = { ok: false, reason: 'status', status: 500, message: 'answered 500', latencyMs: 12.34 };
const delivered: WebhookOutcome = { ok: true, status: 200, body: null, latencyMs: 5 };

function attempt(changes: Partial<WebhookAttempt>): WebhookAttempt {
  return {
    webhookId: 'msg_1',
    event: 'end-of-call-report',
    url: 'https://customer.example/hook',
    orgId,
    agentId: null,
    callId,
    attempt: 1,
    isLast: false,
    outcome: delivered,
    headers: {},
    body: '{"message":{"type":"end-of-call-report"}}',
    ...changes,
  };
}

function testLog(): { log: DeliveryLog; storage: ReturnType<typeof memory>; clock: VirtualClock; jobs: InProcessJobs } {
  const storage = memory();
  const clock = new VirtualClock();
  const jobs = new InProcessJobs(clock);
  return { log: new DeliveryLog({ storage, jobs, clock, random: systemRandom }), storage, clock, jobs };
}

function results(...attempts: WebhookAttempt[]): WebhookResults {
  return { attempts, done: [], again: [] };
}

describe('DeliveryLog', () => {
  it('stores each attempt of a delivery and its outcome', async () => {
    const { log, storage, clock } = testLog();
    await log.settle(results(attempt({ outcome: failed })));
    const [pending] = await storage.webhookDeliveries.list(orgId, { limit: 9 });
    expect(pending).toMatchObject({
      webhook_id: 'msg_1',
      call_id: callId,
      status: 'pending',
      status_code: 500,
      delivered_at: null,
      payload: { message: { type: 'end-of-call-report' } },
      attempts: [{ at: '2026-01-01T09:00:00.000Z', status_code: 500, latency_ms: 12.3, error: 'answered 500' }],
    });
    await clock.advance(5_000);
    await log.settle(results(attempt({ attempt: 2 })));
    expect(await storage.webhookDeliveries.list(orgId, { limit: 9 })).toEqual([
      expect.objectContaining({
        id: pending?.id,
        status: 'delivered',
        status_code: 200,
        delivered_at: '2026-01-01T09:00:05.000Z',
        updated_at: '2026-01-01T09:00:05.000Z',
        attempts: [expect.anything(), expect.objectContaining({ status_code: 200, error: null })],
      }),
    ]);
  });

  it('keeps the order of attempts at the same time', async () => {
    const { log, storage } = testLog();
    const statuses = Array.from({ length: 20 }, (_, n) => 500 + n);
    const made = statuses.map((status) => attempt({ outcome: { ...failed, status }, isLast: status === 519 }));
    await log.settle(results(...made.slice(0, 7)));
    await log.settle(results(...made.slice(7)));
    const [delivery] = await storage.webhookDeliveries.list(orgId, { limit: 9 });
    expect(delivery?.attempts.map(({ status_code }) => status_code)).toEqual(statuses);
    expect(delivery?.status).toBe('failed');
  });

  it('keeps the status delivered when a redelivery fails', async () => {
    const { log, storage } = testLog();
    await log.settle(results(attempt({ isLast: true }), attempt({ outcome: failed, isLast: true })));
    const [delivery] = await storage.webhookDeliveries.list(orgId, { limit: 9 });
    expect(delivery).toMatchObject({ status: 'delivered', status_code: 200 });
  });

  it('stores attempts of several organizations and deliveries at once', async () => {
    const { log, storage } = testLog();
    const other = '00000000-0000-7000-8000-00000000000b';
    const made = [1, 2, 3].flatMap((n) => [
      attempt({ webhookId: `msg_${n}`, outcome: failed }),
      attempt({ webhookId: `msg_${n}`, orgId: other }),
    ]);
    await log.settle(results(...made));
    const [mine, theirs] = await Promise.all(
      [orgId, other].map((id) => storage.webhookDeliveries.list(id, { limit: 9 })),
    );
    expect(mine?.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
    expect(theirs?.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered']);
  });

  it('does not settle a job whose attempt could not be stored', async () => {
    const { storage, jobs, clock } = testLog();
    const id = '00000000-0000-7000-8000-0000000000ff';
    await jobs.send([{ queue: 'webhooks', id, data: {}, afterMs: 0 }]);
    const broken = { ...storage, transaction: () => Promise.reject(new Error('gone')) };
    const log = new DeliveryLog({ storage: broken, jobs, clock, random: systemRandom });
    await expect(log.settle({ attempts: [attempt({})], done: [id], again: [] })).rejects.toThrow('gone');
    expect(await jobs.stored('webhooks', [id])).toEqual(new Set([id]));
  });
});
