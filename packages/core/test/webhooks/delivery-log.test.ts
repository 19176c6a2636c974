import { memory } from '@va/storage/memory';
import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/ids.ts';
import type { WebhookAttempt, WebhookOutcome } from '../../src/ports/webhooks.ts';
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

function testLog(): { log: DeliveryLog; storage: ReturnType<typeof memory>; clock: VirtualClock } {
  const storage = memory();
  const clock = new VirtualClock();
  return { log: new DeliveryLog({ storage, clock, random: systemRandom, logger: silentLogger }), storage, clock };
}

describe('the log of deliveries', () => {
  it('has each attempt of a delivery, and what has become of it', async () => {
    const { log, storage, clock } = testLog();
    log.record(attempt({ outcome: failed }));
    await log.settled();
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
    log.record(attempt({ attempt: 2 }));
    await log.settled();
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

  it('keeps attempts in order, however fast they come', async () => {
    const { log, storage } = testLog();
    const statuses = Array.from({ length: 20 }, (_, n) => 500 + n);
    for (const status of statuses) log.record(attempt({ outcome: { ...failed, status }, isLast: status === 519 }));
    await log.settled();
    const [delivery] = await storage.webhookDeliveries.list(orgId, { limit: 9 });
    expect(delivery?.attempts.map(({ status_code }) => status_code)).toEqual(statuses);
    expect(delivery?.status).toBe('failed');
  });

  it('does not take a delivery back when sending it again fails', async () => {
    const { log, storage } = testLog();
    log.record(attempt({ isLast: true }));
    log.record(attempt({ outcome: failed, isLast: true }));
    await log.settled();
    const [delivery] = await storage.webhookDeliveries.list(orgId, { limit: 9 });
    expect(delivery).toMatchObject({ status: 'delivered', status_code: 500 });
  });

  it('goes on when the storage fails', async () => {
    const { storage, clock } = testLog();
    const errors: unknown[] = [];
    const logger = {
      ...silentLogger,
      error: (fields: Record<string, unknown>) => void errors.push(fields.webhookId),
    };
    const broken = {
      ...storage,
      webhookDeliveries: { ...storage.webhookDeliveries, insert: () => Promise.reject(new Error('gone')) },
    };
    const log = new DeliveryLog({ storage: broken, clock, random: systemRandom, logger });
    log.record(attempt({}));
    await log.settled();
    expect(errors).toEqual(['msg_1']);
  });
});
