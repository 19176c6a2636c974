import { ScriptedWebhooks } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock/system-clock.ts';
import type { WebhookDelivery } from '../../../src/domain/webhooks/webhook-delivery.ts';
import { uuidv7 } from '../../../src/ids.ts';
import type { Operations } from '../../../src/operations/operations.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { untyped } from '../../support/untyped.ts';
import { orgId, otherOrgId, refusal, testOperations, unknownId } from '../support.ts';

let operations: Operations;
let storage: Storage;
let webhooks: ScriptedWebhooks;

beforeEach(async () => {
  webhooks = new ScriptedWebhooks();
  ({ operations, storage } = testOperations({ webhooks }));
  await operations.organizations.create({ id: orgId, name: 'Acme' });
});

async function delivered(changes: Partial<WebhookDelivery>): Promise<string> {
  const at = '2026-01-01T09:00:00.000Z';
  const delivery: WebhookDelivery = {
    id: unknownId,
    webhook_id: 'msg_1',
    agent_id: null,
    call_id: null,
    event: 'end-of-call-report',
    url: 'https://old.example/hook',
    status: 'failed',
    status_code: 500,
    attempts: [],
    payload: { message: { type: 'end-of-call-report' } },
    created_at: at,
    updated_at: at,
    delivered_at: null,
    ...changes,
  };
  await storage.webhookDeliveries.insert(orgId, delivery);
  return delivery.id;
}

describe('the list of webhook deliveries', () => {
  it('filters by status', async () => {
    const at = '2026-01-01T09:00:00.000Z';
    const ids = {
      failed: await delivered({}),
      pending: await delivered({ id: uuidv7(systemClock), webhook_id: 'msg_2', status: 'pending' }),
      delivered: await delivered({
        ...{ id: uuidv7(systemClock), webhook_id: 'msg_3', status: 'delivered', status_code: 200, delivered_at: at },
      }),
    };
    for (const [status, id] of Object.entries(ids)) {
      const { deliveries, pagination } = await operations.webhookDeliveries.list(orgId, untyped({ status }));
      expect(deliveries.map((each) => each.id)).toEqual([id]);
      expect(pagination.total).toBe(1);
    }
    expect((await operations.webhookDeliveries.list(orgId)).pagination.total).toBe(3);
  });
});

describe('redelivering a webhook', () => {
  it('sends the same id and body to the agent’s current server', async () => {
    const agent = await operations.agents.create(orgId, {
      name: 'A',
      webhook_url: 'https://new.example/hook',
      webhook_secret: 'new-secret',
    });
    const id = await delivered({ agent_id: agent.id });
    expect(await operations.webhookDeliveries.redeliver(orgId, id)).toEqual({ success: true });
    expect(webhooks.messages).toMatchObject([
      {
        event: 'end-of-call-report',
        target: { url: 'https://new.example/hook', secret: 'new-secret' },
        sent: { webhookId: 'msg_1', body: '{"message":{"type":"end-of-call-report"}}' },
      },
    ]);
  });

  it('sends to the server of its tool', async () => {
    const server = { url: 'https://tool.example/run', secret: 'tool-secret' };
    const agent = await operations.agents.create(orgId, {
      name: 'A',
      webhook_url: 'https://new.example/hook',
      llm_config: { provider: 'x', tools: [{ type: 'function', name: 'run', server }] },
    });
    const id = await delivered({ agent_id: agent.id, event: 'tool-calls', url: server.url });
    await operations.webhookDeliveries.redeliver(orgId, id);
    expect(webhooks.messages[0]?.target).toEqual(server);
  });

  it('never sends to a server that is no longer configured', async () => {
    const id = await delivered({ agent_id: unknownId });
    const refused = await refusal(operations.webhookDeliveries.redeliver(orgId, id));
    expect([refused.status, refused.code]).toEqual([422, 'no_webhook_url']);
    await operations.organizations.update(orgId, { webhook_url: 'https://acme.example', webhook_secret: 's' });
    await operations.webhookDeliveries.redeliver(orgId, id);
    expect(webhooks.messages.map(({ target }) => target)).toEqual([
      { url: 'https://acme.example', secret: 's', previousSecret: expect.any(String) },
    ]);
  });

  it('returns 404 for another organization', async () => {
    const id = await delivered({});
    const refused = await refusal(operations.webhookDeliveries.redeliver(otherOrgId, id));
    expect(refused.code).toBe('webhook_delivery_not_found');
  });
});
