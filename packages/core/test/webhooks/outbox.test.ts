import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import {
  jobLeaseMs,
  readWebhookJob,
  type StoredWebhook,
  systemRandom,
  type WebhookDispatcher,
  type WebhookMessage,
  WebhookOutbox,
} from '../../src/adapter.ts';

const target = { url: 'https://hooks.example.com/', secret: 'a secret of 24 characters' };

function message(changes: Partial<WebhookMessage> = {}): WebhookMessage {
  return {
    event: 'status-update',
    target,
    orgId: 'org-1',
    agentId: null,
    callId: 'call-1',
    message: { status: 'ended' },
    ...changes,
  };
}

function outboxFor(webhooks: Partial<WebhookDispatcher>, clock = new VirtualClock()): WebhookOutbox {
  const dispatcher = { hasRoom: () => true, deliver() {}, ...webhooks };
  return new WebhookOutbox({ webhooks: dispatcher, clock, random: systemRandom, logger: silentLogger });
}

describe('WebhookOutbox', () => {
  it('derives the ids of a call’s webhooks from their sequence, and links each to its predecessor', () => {
    const outbox = outboxFor({});
    const messages = [message({ sequence: 1 }), message({ sequence: 2, event: 'end-of-call-report' })];
    const [first, second] = outbox.prepare(messages).jobs;
    const again = outbox.prepare(messages).jobs;
    expect(again.map(({ id }) => id)).toEqual([first?.id, second?.id]);
    expect(first).toMatchObject({ queue: 'webhooks', data: { sequence: 1, predecessorId: null } });
    expect(second?.data).toMatchObject({ sequence: 2, predecessorId: first?.id, webhookId: `msg_${second?.id}` });
    expect(first?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(JSON.stringify([first, second])).not.toContain(target.secret);
  });

  it('gives different calls and webhooks without a sequence distinct ids', () => {
    const outbox = outboxFor({});
    const ids = [
      message({ sequence: 1 }),
      message({ sequence: 1, callId: 'call-2' }),
      message({ callId: null, event: 'campaign-update' }),
      message({ callId: null, event: 'campaign-update' }),
    ].flatMap((each) => outbox.prepare([each]).jobs.map(({ id }) => id));
    expect(new Set(ids).size).toBe(4);
  });

  it('leases jobs to this process while its dispatcher has room', () => {
    const clock = new VirtualClock();
    const delivered: StoredWebhook[] = [];
    const deliver = (stored: readonly StoredWebhook[]): void => void delivered.push(...stored);
    const leased = outboxFor({ deliver }, clock).prepare([message()]);
    expect(leased.jobs).toMatchObject([{ afterMs: jobLeaseMs }]);
    expect(delivered).toEqual([]);
    leased.dispatch();
    expect(delivered).toMatchObject([{ target, leaseEndsMs: clock.nowMs() + jobLeaseMs }]);
    const full = outboxFor({ deliver, hasRoom: () => false }, clock).prepare([message()]);
    expect(full.jobs).toMatchObject([{ afterMs: 0 }]);
    full.dispatch();
    expect(delivered[1]).toMatchObject({ leaseEndsMs: null });
  });

  it('stores webhooks for a later attempt when the dispatcher throws', () => {
    const boom = (): never => {
      throw new Error('boom');
    };
    const outgoing = outboxFor({ hasRoom: boom, deliver: boom }).prepare([message()]);
    expect(outgoing.jobs).toMatchObject([{ afterMs: 0 }]);
    expect(() => outgoing.dispatch()).not.toThrow();
  });

  it('keeps the id and body of a redelivered webhook', () => {
    const sent = { webhookId: 'msg_0199d3f0-0000-7000-8000-000000000001', body: '{"message":{}}' };
    const [job] = outboxFor({}).prepare([message({ sent })]).jobs;
    expect(job).toMatchObject({
      id: sent.webhookId.slice(4),
      data: { ...sent, isRedelivery: true, predecessorId: null },
    });
  });
});

describe('readWebhookJob', () => {
  it('returns a job as it was stored', () => {
    const [job] = outboxFor({}).prepare([message({ sequence: 3 })]).jobs;
    if (job === undefined) throw new Error('no job was prepared');
    expect(readWebhookJob(job)).toEqual({ id: job.id, ...job.data });
  });

  it('keeps predecessor and redelivery of a job from an earlier version', () => {
    const data = {
      ...{ webhookId: 'msg_1', event: 'status-update', orgId: 'org-1', url: target.url, body: '{}', attempts: 2 },
      ...{ agentId: null, callId: 'call-1', after: 'job-0', isAskedFor: true },
    };
    expect(readWebhookJob({ id: 'job-1', data })).toMatchObject({
      predecessorId: 'job-0',
      sequence: null,
      isRedelivery: true,
      attempts: 2,
    });
  });

  it('returns null for unknown content', () => {
    expect(readWebhookJob({ id: 'job-1', data: { event: 'status-update' } })).toBeNull();
  });
});
