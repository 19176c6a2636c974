import { describe, expect, it } from 'vitest';
import type { OutgoingWebhook } from '../../src/ports/webhooks.ts';
import { readWebhookJob, webhookJob } from '../../src/webhooks/outgoing-webhook.ts';

const webhook: OutgoingWebhook = {
  id: '00000000-0000-7000-8000-000000000001',
  webhookId: 'msg_00000000-0000-7000-8000-000000000001',
  event: 'status-update',
  orgId: 'org-1',
  agentId: 'agent-1',
  callId: 'call-1',
  sequence: 2,
  predecessorId: '00000000-0000-7000-8000-000000000000',
  url: 'https://hooks.example.com/',
  body: '{"message":{}}',
  attempts: 3,
  isRedelivery: false,
};

const { id, ...fields } = webhook;
const read = (data: Record<string, unknown>): OutgoingWebhook | null => readWebhookJob({ id, data });

describe('the job of a webhook', () => {
  it('belongs to its organization, and is read as it was written', () => {
    const job = webhookJob(webhook, 5_000);
    expect(job).toMatchObject({ queue: 'webhooks', id, afterMs: 5_000, group: 'org-1' });
    expect(read(job.data)).toEqual(webhook);
  });

  it('is read as an earlier version wrote it', () => {
    const { predecessorId, isRedelivery: _is, ...others } = fields;
    expect(read({ ...others, after: predecessorId, isAskedFor: true })).toEqual({ ...webhook, isRedelivery: true });
  });

  it('has no agent, call or order if those are of another type', () => {
    const odd = { ...fields, agentId: 1, callId: undefined, sequence: '2', predecessorId: null, isRedelivery: 'yes' };
    expect(read(odd)).toEqual({
      ...webhook,
      agentId: null,
      callId: null,
      sequence: null,
      predecessorId: null,
      isRedelivery: false,
    });
  });

  it.each([
    ['webhookId', undefined],
    ['orgId', null],
    ['url', 7],
    ['body', {}],
    ['attempts', '3'],
    ['event', 'another-event'],
    ['event', undefined],
  ])('is not read with %s %j', (field, value) => {
    expect(read({ ...fields, [field]: value })).toBeNull();
  });
});
