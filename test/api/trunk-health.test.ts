import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Api, openApi } from './support/api.ts';
import { allStorageKinds } from './support/storages.ts';
import type { Tenant } from './support/tenant.ts';

const since = '2026-01-01T12:00:00.000Z';
const up = { state: 'reachable', since, checked_at: since, round_trip_ms: 12 } as const;

describe.each(allStorageKinds)('the health of trunks on $name', (kind) => {
  let api: Api;
  let tenant: Tenant;
  beforeAll(async () => {
    api = await openApi(kind);
  });
  beforeEach(async () => {
    tenant = await api.tenant();
  });
  afterAll(() => api.close());

  it('is unknown until the telephony adapter reports it', async () => {
    const { id } = await tenant.newTrunk();
    expect((await tenant.ok('GET', `/sip-trunks/${id}/health`)).health).toEqual({
      ...{ trunk_id: id, state: 'unknown', nodes: [] },
    });
    api.telephony.trunkHealth.set(id, up);
    const { health } = await tenant.ok('GET', `/sip-trunks/${id}/health`);
    expect(health).toMatchObject({ trunk_id: id, state: 'reachable' });
    expect(health.nodes).toEqual([
      {
        ...{ node_id: expect.stringMatching(/^[0-9a-f-]{36}$/), ...up, reason: null },
        ...{ last_webhook_at: null, last_answer_at: null, last_failure: null },
      },
    ]);
  });

  it('includes the last answer and the last failure of placed calls', async () => {
    const trunk = await tenant.newTrunk({ numbers: ['+31201234567'] });
    await tenant.newNumber({
      phone_number: `+3120${Math.floor(1e6 + Math.random() * 8e6)}`,
      transfer_trunk_id: trunk.id,
    });
    const agent = await tenant.newAgent();
    const dial = async () => {
      await tenant.ok('POST', '/calls/outbound', { destination: '+31687654321', agent_id: agent.id });
      return await vi.waitFor(() => {
        const call = api.telephony.dialed.findLast(
          ({ request }) => request.trunk.id === trunk.id && !seen.has(request),
        );
        if (call === undefined) throw new Error('not dialed yet');
        seen.add(call.request);
        return call;
      });
    };
    const seen = new Set<object>();
    (await dial()).refuse('failed', '503 Service Unavailable');
    const other = await dial();
    other.pickUp();
    await vi.waitFor(async () => {
      const { nodes } = (await tenant.ok('GET', `/sip-trunks/${trunk.id}/health`)).health;
      expect(nodes[0]).toMatchObject({
        ...{ state: 'unknown', last_answer_at: expect.any(String) },
        last_failure: { reason: '503 Service Unavailable' },
      });
    });
  });

  it('is shown for the organization’s own trunks only', async () => {
    const other = await api.tenant();
    const [own, foreign] = [await tenant.newTrunk(), await other.newTrunk()];
    for (const { id } of [own, foreign]) api.telephony.trunkHealth.set(id, up);
    const second = await tenant.newTrunk();
    const { trunks } = await tenant.ok('GET', '/sip-trunks/health');
    expect(trunks.map(({ trunk_id: id, state }: { trunk_id: string; state: string }) => [id, state])).toEqual([
      [second.id, 'unknown'],
      [own.id, 'reachable'],
    ]);
    const refused = await tenant.send('GET', `/sip-trunks/${foreign.id}/health`);
    expect([refused.status, refused.body.code]).toEqual([404, 'sip_trunk_not_found']);
    const { secret } = await tenant.ok('POST', '/api-keys', { name: 'Calls', scopes: ['calls:read'] });
    expect((await tenant.send('GET', '/sip-trunks/health', { key: secret })).status).toBe(403);
  });
});
