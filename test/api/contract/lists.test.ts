import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.ts';
import { storageKinds } from '../support/storages.ts';
import type { Tenant } from '../support/tenant.ts';

interface List {
  readonly path: string;
  readonly key: string;
  /** Null for a list that returns everything without pagination. */
  readonly defaultLimit: number | null;
  readonly maxLimit: number;
  readonly order: 'newest' | 'oldest';
  make(tenant: Tenant, campaignId: string): Promise<{ id: string }>;
}

const whole = { defaultLimit: null, maxLimit: 1_000, order: 'newest' } as const;
const paged = { defaultLimit: 100, maxLimit: 1_000, order: 'newest' } as const;

const lists: readonly List[] = [
  { path: '/agents', key: 'agents', ...whole, make: (tenant) => tenant.newAgent() },
  { path: '/tool-templates', key: 'toolTemplates', ...whole, make: (tenant) => tenant.newToolTemplate() },
  { path: '/numbers', key: 'numbers', ...whole, make: (tenant) => tenant.newNumber() },
  { path: '/sip-trunks', key: 'trunks', ...whole, make: (tenant) => tenant.newTrunk() },
  { path: '/campaigns', key: 'campaigns', ...whole, make: (tenant) => tenant.newCampaign() },
  {
    path: '/api-keys',
    key: 'api_keys',
    ...whole,
    make: async (tenant) => (await tenant.ok('POST', '/api-keys', { name: 'One' })).api_key,
  },
  { path: '/publishable-keys', key: 'publishable_keys', ...whole, make: (tenant) => tenant.newPublishableKey() },
  { path: '/calls', key: 'calls', ...paged, make: (tenant) => tenant.addCall() },
  { path: '/usage', key: 'logs', ...paged, make: (tenant) => tenant.addUsage() },
  { path: '/do-not-call', key: 'do_not_call', ...paged, make: (tenant) => tenant.newDoNotCall() },
  { path: '/webhook-deliveries', key: 'deliveries', ...paged, make: (tenant) => tenant.addDelivery() },
  {
    path: '/analysis-templates',
    key: 'analysis_templates',
    defaultLimit: 50,
    maxLimit: 100,
    order: 'newest',
    make: (tenant) => tenant.newAnalysisTemplate(),
  },
  {
    path: '/campaigns/{id}/leads',
    key: 'leads',
    defaultLimit: 100,
    maxLimit: 1_000,
    order: 'oldest',
    make: (tenant, campaignId) => tenant.newLead(campaignId),
  },
];

describe.each(storageKinds)('lists on $name', (kind) => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi(kind);
  });
  afterAll(() => api.close());

  it.each(lists)(
    'GET $path is ordered and paginated',
    async ({ key, defaultLimit, maxLimit, order, make, ...list }) => {
      const tenant = await api.tenant();
      const { id: campaignId } = await tenant.newCampaign();
      const path = list.path.replace('{id}', campaignId);
      const made = (await tenant.ok('GET', path))[key].map(({ id }: { id: string }) => id);
      for (let n = 0; n < 5; n += 1) {
        // Gives each record its own millisecond.
        api.clock.putForward(5);
        const { id } = await make(tenant, campaignId);
        if (order === 'newest') made.unshift(id);
        else made.push(id);
      }
      const idsOf = async (query: string): Promise<string[]> =>
        (await tenant.ok('GET', `${path}?${query}`))[key].map(({ id }: { id: string }) => id);

      const all = await tenant.ok('GET', path);
      expect(
        all[key]
          .slice(0, made.length)
          .map(({ id }: { id: string }) => id)
          .filter((id: string) => made.includes(id)),
      ).toEqual(made);
      const total = all[key].length;
      const pagination = defaultLimit === null ? undefined : { total, limit: defaultLimit, offset: 0 };
      expect(all.pagination).toEqual(pagination);
      const ids = await idsOf('');
      expect(await idsOf('limit=2')).toEqual(ids.slice(0, 2));
      expect(await idsOf('limit=2&offset=3')).toEqual(ids.slice(3, 5));
      expect(await idsOf('offset=4')).toEqual(ids.slice(4));
      expect(await idsOf('offset=1000')).toEqual([]);
      expect(await idsOf(`limit=${maxLimit}`)).toEqual(ids);
      const far = await tenant.ok('GET', `${path}?limit=${maxLimit}&offset=2147483647`);
      if (defaultLimit !== null) expect(far.pagination).toEqual({ total, limit: maxLimit, offset: 2_147_483_647 });

      for (const query of [
        'limit=0',
        'limit=-1',
        `limit=${maxLimit + 1}`,
        'limit=1.5',
        'limit=',
        'limit=ten',
        'offset=-1',
        'offset=2147483648',
      ]) {
        const reply = await tenant.send('GET', `${path}?${query}`);
        expect([reply.status, reply.body.code, reply.body.param], query).toEqual([
          400,
          'invalid_field',
          query.split('=')[0],
        ]);
      }
    },
  );

  it('a list without pagination returns at most 1,000 records, and continues at an offset', async () => {
    const tenant = await api.tenant();
    const { id } = await tenant.newCampaign();
    const template = await tenant.newToolTemplate();
    const record = await api.storage.toolTemplates.get(tenant.orgId, template.id);
    if (record === null) throw new Error('the template was not stored');
    const more = Array.from({ length: 1_004 }, (_, n) => ({
      ...record,
      id: `${id.slice(0, -4)}${String(n).padStart(4, '0')}`,
    }));
    await api.storage.toolTemplates.insertMany(tenant.orgId, more);
    expect((await tenant.ok('GET', '/tool-templates')).toolTemplates).toHaveLength(1_000);
    expect((await tenant.ok('GET', '/tool-templates?offset=1000')).toolTemplates).toHaveLength(5);
  });

  it('the usage summary covers all filtered records, not only the page', async () => {
    const tenant = await api.tenant();
    const { id } = await tenant.newAgent();
    for (let n = 0; n < 3; n += 1) await tenant.addUsage({ agent_id: id, duration_seconds: 20, cost: 0.1 });
    await tenant.addUsage({ duration_seconds: 100, cost: null });
    const { logs, summary, pagination } = await tenant.ok('GET', `/usage?agent_id=${id}&limit=1`);
    expect([logs.length, pagination.total]).toEqual([1, 3]);
    expect(summary).toEqual({
      total_calls: 3,
      total_duration_seconds: 60,
      total_duration_minutes: 1,
      total_cost: 0.3,
      breakdown: [],
    });
    const every = (await tenant.ok('GET', '/usage')).summary;
    expect(every).toMatchObject({ total_calls: 4, total_duration_seconds: 160, total_cost: 0.3 });
  });
});
