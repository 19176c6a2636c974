import { createVoiceAgents, defaultOrganizationId } from '@va/core';
import { createHandler } from '@va/http';
import { memory } from '@va/storage/memory';
import { silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from './support/api.ts';
import { allStorageKinds } from './support/storages.ts';

describe.each(allStorageKinds)('the nodes of a deployment on $name', (kind) => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi(kind);
  });
  afterAll(() => api.close());

  const nodes = async (key: string) =>
    await api.send({ method: 'GET', path: '/nodes', headers: { authorization: `Bearer ${key}` } });

  it('are shown to an operator, with a mark on the node that answers', async () => {
    const tenant = await api.tenant();
    await tenant.newLiveCall();
    const { status, body } = await nodes(await api.operatorKey());
    expect(status).toBe(200);
    expect(body.nodes).toHaveLength(1);
    expect(body.nodes[0]).toMatchObject({ state: 'serving', is_answering: true, calls: 1, registrations: [] });
    expect(body.nodes[0].version).toMatch(/^\d+\.\d+\.\d+/);
    expect(Date.parse(body.nodes[0].last_seen_at)).toBeGreaterThanOrEqual(Date.parse(body.nodes[0].started_at));
    expect(body.nodes[0].providers).toContainEqual({
      ...{ kind: 'stt', provider: 'deepgram', circuits: 0, open_circuits: 0 },
      ...{ recent_failures: 0, last_failure: null },
    });
    expect(body.queues.map(({ name }: { name: string }) => name)).toEqual(['webhooks', 'after-call', 'mails']);
    // The response names no organization.
    expect(JSON.stringify(body)).not.toContain(tenant.orgId);
  });

  it('are hidden from other organizations, whatever the scopes of their keys', async () => {
    const tenant = await api.tenant();
    for (const scopes of [['*'], ['deployment:read']]) {
      const { secret } = await tenant.ok('POST', '/api-keys', { name: 'All', scopes });
      const { status, body } = await nodes(secret);
      expect([status, body.code]).toEqual([403, 'forbidden']);
      expect(body.nodes).toBeUndefined();
    }
  });

  it('need the scope deployment:read', async () => {
    const issue = (scopes: string[]) => api.va.operations.apiKeys.issue(defaultOrganizationId, { name: 'k', scopes });
    await api.operatorKey();
    const [narrow, right] = [await issue(['calls:read', 'deployment:write']), await issue(['deployment:read'])];
    expect((await nodes(narrow.secret)).status).toBe(403);
    expect((await nodes(right.secret)).status).toBe(200);
    const access = await api.send({
      ...{ method: 'GET', path: '/access' },
      headers: { authorization: `Bearer ${right.secret}` },
    });
    expect(access.body).toMatchObject({ is_operator: true, scopes: ['deployment:read'] });
  });

  it('show the age of waiting jobs', async () => {
    const key = await api.operatorKey();
    const jobs = api.storage.jobs ?? null;
    if (jobs !== null) {
      const id = crypto.randomUUID();
      await jobs.send([{ queue: 'mails', id, data: { unknown: true }, afterMs: 3_600_000 }]);
      expect(await jobs.oldestMs?.('mails')).toBeGreaterThan(Date.now() - 60_000);
      const [, , mails] = (await nodes(key)).body.queues;
      expect(mails.oldest_seconds === null || mails.oldest_seconds < 60).toBe(true);
      await jobs.settle('mails', { done: [id], again: [] });
      expect(await jobs.oldestMs?.('mails')).toBeNull();
    }
  });
});

it('the nodes of a deployment are shown to a principal whom the host calls an operator, and to no other', async () => {
  const va = createVoiceAgents({
    ...{ storage: memory(), providers: [], webhooks: webhooks(), logger: silentLogger },
    authenticate: async ({ headers }) => ({
      orgId: '00000000-0000-7000-8000-0000000000aa',
      isOperator: headers.get('authorization') === 'Bearer operator',
    }),
  });
  await va.start();
  const handler = createHandler(va);
  const status = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await handler.fetch(new Request('http://localhost/api/v1/nodes', { headers }))).status;
  };
  expect([await status('operator'), await status('member')]).toEqual([200, 403]);
  await handler.close();
  await va.close({ drainMs: 0 });
});
