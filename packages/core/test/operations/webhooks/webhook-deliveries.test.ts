import { ScriptedWebhooks } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock/system-clock.ts';
import type { WebhookDelivery } from '../../../src/domain/webhooks/webhook-delivery.ts';
import { uuidv7 } from '../../../src/ids.ts';
import type { Operations } from '../../../src/operations/operations.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { untyped } from '../../support/untyped.ts';
import { faultsOf, orgId, otherOrgId, refusal, testOperations, unknownId } from '../support.ts';

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
        id: uuidv7(systemClock),
        webhook_id: 'msg_3',
        status: 'delivered',
        status_code: 200,
        delivered_at: at,
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

describe('finding webhook deliveries', () => {
  const [agentId, callId] = [uuidv7(systemClock), uuidv7(systemClock)];

  it.each([
    ['agent', { agent_id: agentId }],
    ['call', { call_id: callId }],
    ['event', { event: 'status-update' }],
  ])('is possible by their %s', async (_what, found) => {
    await delivered({});
    const id = await delivered({ id: uuidv7(systemClock), webhook_id: 'msg_2', ...found });
    const { deliveries, pagination } = await operations.webhookDeliveries.list(orgId, found);
    expect([deliveries.map((each) => each.id), pagination.total]).toEqual([[id], 1]);
  });

  it('is possible by their days, and in pages, newest first', async () => {
    const ids: string[] = [];
    for (const day of [1, 2, 3]) {
      const created_at = `2026-01-0${day}T12:00:00.000Z`;
      ids.unshift(await delivered({ id: uuidv7(systemClock), webhook_id: `msg_${day}`, created_at }));
    }
    const found = async (query: object): Promise<string[]> =>
      (await operations.webhookDeliveries.list(orgId, query)).deliveries.map(({ id }) => id);
    expect(await found({})).toEqual(ids);
    expect(await found({ start_date: '2026-01-02', end_date: '2026-01-02' })).toEqual([ids[1]]);
    expect(await found({ limit: '1', offset: '2' })).toEqual([ids[2]]);
  });

  it.each([
    [{ status: 'lost' }, 'status invalid_field'],
    [{ agent_id: 'one' }, 'agent_id invalid_field'],
    [{ event: '' }, 'event invalid_field'],
    [{ url: 'https://a.example' }, 'url unknown_field'],
  ])('refuses %j', async (query, fault) => {
    expect(faultsOf(await refusal(operations.webhookDeliveries.list(orgId, untyped(query))))).toEqual([fault]);
  });

  it('never shows those of another organization', async () => {
    await delivered({});
    expect((await operations.webhookDeliveries.list(otherOrgId)).deliveries).toEqual([]);
  });
});

describe('testing the server of an agent', () => {
  const webhook_url = 'https://new.example/hook';

  it('sends a test event, and returns its result', async () => {
    const agent = await operations.agents.create(orgId, { name: 'Anna', webhook_url, metadata: { shop: 7 } });
    webhooks.outcome = () => ({ ok: true, status: 204, body: null, latencyMs: 12.345 });
    expect(await operations.webhookDeliveries.test(orgId, agent.id)).toEqual({
      status_code: 204,
      latency_ms: 12.3,
      error: null,
    });
    expect(webhooks.messages).toMatchObject([
      {
        event: 'test',
        orgId,
        agentId: agent.id,
        callId: null,
        target: { url: webhook_url },
        message: { agent: { id: agent.id, name: 'Anna' }, metadata: { shop: 7 } },
      },
    ]);
  });

  it.each([
    ['answers with an error', 500, 'The server answered 500.'],
    ['does not answer', null, 'no answer within 10 seconds'],
  ])('reports that it %s', async (_what, status, message) => {
    const agent = await operations.agents.create(orgId, { name: 'Anna', webhook_url });
    webhooks.outcome = () => ({ ok: false, reason: untyped('failed'), status, message, latencyMs: 10_000 });
    expect(await operations.webhookDeliveries.test(orgId, agent.id)).toEqual({
      status_code: status,
      latency_ms: 10_000,
      error: message,
    });
  });

  it('uses the server of the organization if the agent has none', async () => {
    await operations.organizations.update(orgId, { webhook_url: 'https://acme.example' });
    const agent = await operations.agents.create(orgId, { name: 'Anna' });
    await operations.webhookDeliveries.test(orgId, agent.id);
    expect(webhooks.messages).toMatchObject([{ target: { url: 'https://acme.example' } }]);
  });

  it('is refused without a server, and for an agent of another organization', async () => {
    const agent = await operations.agents.create(orgId, { name: 'Anna' });
    expect(await refusal(operations.webhookDeliveries.test(orgId, agent.id))).toMatchObject({
      status: 422,
      code: 'no_webhook_url',
    });
    expect(await refusal(operations.webhookDeliveries.test(otherOrgId, agent.id))).toMatchObject({
      status: 404,
      code: 'agent_not_found',
    });
    expect(webhooks.messages).toEqual([]);
  });
});
