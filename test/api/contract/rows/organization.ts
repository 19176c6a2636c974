import { expect } from 'vitest';
import { z } from 'zod';
import { node, queue } from '../deployment-shapes.ts';
import { type Row, row } from '../row.ts';
import {
  apiKey,
  delivery,
  health,
  openApi,
  organization,
  pagination,
  probe,
  publishableKey,
  success,
  webhookTest,
} from '../shapes.ts';

export const organizationRows: readonly Row[] = [
  ...['/organizations', '/account'].map((path) =>
    row(`GET ${path}`, {
      async request(tenant) {
        await tenant.newNumber({ agent_id: (await tenant.newAgent()).id });
        await tenant.newAgent({ is_active: false });
        await tenant.addUsage();
        return {};
      },
      body: organization,
      has: {
        minutes_balance: null,
        monthly_usage_minutes: 1.5,
        active_numbers: 1,
        active_agents: 1,
        active_calls: 0,
        has_local_models_access: false,
        concurrency: { limit: null, active: 0 },
      },
    }),
  ),
];

export const apiKeyRows: readonly Row[] = [
  row('GET /api-keys', { body: z.strictObject({ api_keys: z.array(apiKey).length(1) }) }),
  row('POST /api-keys', {
    request: async () => ({
      json: { name: 'Reader', scopes: ['calls:read'], expires_at: '2099-01-01T01:00:00+01:00' },
    }),
    status: 201,
    body: z.strictObject({ api_key: apiKey, secret: z.string().regex(/^va_live_[\w-]{32,}$/) }),
    has: {
      api_key: { name: 'Reader', scopes: ['calls:read'], expires_at: '2099-01-01T00:00:00.000Z', revoked_at: null },
    },
    location: /\/api-keys$/,
  }),
  row('DELETE /api-keys/{id}', {
    request: async (tenant) => ({ params: [(await tenant.ok('POST', '/api-keys', { name: 'Old' })).api_key.id] }),
    body: success,
  }),
];

export const publishableKeyRows: readonly Row[] = [
  row('GET /publishable-keys', {
    async request(tenant) {
      await tenant.newPublishableKey();
      return {};
    },
    body: z.strictObject({ publishable_keys: z.array(publishableKey).length(1) }),
  }),
  row('POST /publishable-keys', {
    async request(tenant) {
      const { id } = await tenant.newAgent();
      return { json: { name: ' Site ', agents: [id], origins: ['https://www.example.com', 'http://localhost:3000'] } };
    },
    status: 201,
    body: z.strictObject({ publishable_key: publishableKey }),
    has: {
      publishable_key: {
        name: 'Site',
        origins: ['https://www.example.com', 'http://localhost:3000'],
        variables: [],
        calls_per_minute: 10,
        calls_per_minute_per_address: 3,
        minutes_per_day: 60,
        max_call_seconds: 300,
        expires_at: null,
        revoked_at: null,
      },
    },
    location: /\/publishable-keys\/[0-9a-f-]{36}$/,
  }),
  row('GET /publishable-keys/{id}', {
    request: async (tenant) => ({ params: [(await tenant.newPublishableKey()).id] }),
    body: z.strictObject({ publishable_key: publishableKey }),
  }),
  row('PATCH /publishable-keys/{id}', {
    request: async (tenant) => ({
      params: [(await tenant.newPublishableKey()).id],
      json: { minutes_per_day: 5, variables: ['page'] },
    }),
    body: z.strictObject({ publishable_key: publishableKey }),
    has: { publishable_key: { name: 'Site', minutes_per_day: 5, variables: ['page'], max_call_seconds: 300 } },
  }),
  row('DELETE /publishable-keys/{id}', {
    request: async (tenant) => ({ params: [(await tenant.newPublishableKey()).id] }),
    body: success,
  }),
];

export const webhookRows: readonly Row[] = [
  row('GET /webhook-deliveries', {
    async request(tenant) {
      await tenant.addDelivery();
      return {};
    },
    body: z.strictObject({ deliveries: z.array(delivery).length(1), pagination }),
    has: { pagination: { total: 1, limit: 100, offset: 0 } },
  }),
  row('POST /webhook-deliveries/{id}/redeliver', {
    async request(tenant) {
      const agent = await tenant.newAgent();
      return { params: [(await tenant.addDelivery({ agent_id: agent.id })).id] };
    },
    status: 202,
    body: success,
  }),
  row('POST /agents/{id}/webhook/test', {
    request: async (tenant) => ({ params: [(await tenant.newAgent()).id] }),
    body: webhookTest,
    has: { status_code: 200 },
  }),
];

export const accessRows: readonly Row[] = [
  row('GET /access', {
    body: z.strictObject({
      organization_id: z.uuid(),
      scopes: z.array(z.string()),
      key_id: z.uuid().nullable(),
      subject: z.string().nullable(),
      is_operator: z.boolean(),
    }),
    has: { scopes: ['*'], subject: null, is_operator: false },
  }),
];

export const nodeRows: readonly Row[] = [
  row('GET /nodes', {
    request: async ({ api }) => ({ key: await api.operatorKey() }),
    body: z.strictObject({ nodes: z.array(node).length(1), queues: z.array(queue).length(3) }),
    has: { nodes: [{ state: 'serving', is_answering: true, max_calls: 2_000 }] },
  }),
];

export const openRows: readonly Row[] = [
  row('GET /health', { body: health, has: { status: 'ok', checks: { storage: { status: 'ok' } } }, open: true }),
  row('GET /health/live', { body: probe, has: { status: 'live' }, open: true }),
  row('GET /health/ready', { body: probe, has: { status: 'ready', reason: null }, open: true }),
  row('GET /openapi.json', { body: openApi, has: { paths: expect.anything() }, open: true }),
];
