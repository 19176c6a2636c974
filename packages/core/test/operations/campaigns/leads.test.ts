import { describe, expect, it } from 'vitest';
import type { BulkResult } from '../../../src/domain/campaigns/lead.ts';
import type { Operations } from '../../../src/operations/operations.ts';
import type { Records } from '../../../src/ports/storage/records.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { untyped } from '../../support/untyped.ts';
import { faultsOf, orgId, otherOrgId, refusal, testOperations, unknownId } from '../support.ts';

async function withCampaign(): Promise<ReturnType<typeof testOperations> & { campaignId: string }> {
  const parts = testOperations();
  const agent = await parts.operations.agents.create(orgId, { name: 'Sales' });
  const { id } = await parts.operations.campaigns.create(orgId, {
    name: 'Spring',
    agent_id: agent.id,
    schedule_start_time: '09:00',
    schedule_end_time: '17:00',
    timezone: 'UTC',
  });
  return { ...parts, campaignId: id };
}

const number = (n: number): string => `+3161234${String(n).padStart(4, '0')}`;

/** A storage in which a concurrent request deletes each campaign right after it is read. */
function losingCampaigns(storage: Storage): Storage {
  const get =
    ({ campaigns }: Records): Records['campaigns']['get'] =>
    async (owner, id) => {
      const campaign = await campaigns.get(owner, id);
      await campaigns.delete(owner, id);
      return campaign;
    };
  return {
    ...storage,
    transaction: (work) => storage.transaction((tx) => work({ ...tx, campaigns: { ...tx.campaigns, get: get(tx) } })),
  };
}

async function totals(operations: Operations, id: string): Promise<number[]> {
  const campaign = await operations.campaigns.get(orgId, id);
  return [campaign.total_leads, campaign.completed_leads, campaign.failed_leads];
}

describe('a single lead', () => {
  it('is refused when its campaign is deleted concurrently', async () => {
    const { storage, clock, campaignId } = await withCampaign();
    const { operations } = testOperations({ storage: losingCampaigns(storage), clock });
    const error = await refusal(operations.leads.add(orgId, campaignId, { phone_number: number(1) }));
    expect([error.status, error.code]).toEqual([404, 'campaign_not_found']);
  });

  it('is added, counted, listed and removed', async () => {
    const { operations, campaignId } = await withCampaign();
    const lead = await operations.leads.add(orgId, campaignId, {
      phone_number: '06 1234 0001'.replace('06', '+31 6'),
      name: 'Ann',
      variables: { city: 'Delft' },
    });
    expect(lead).toMatchObject({ phone_number: number(1), name: 'Ann', status: 'pending', attempts: 0 });
    expect(lead).not.toHaveProperty('unique_number');
    expect(await operations.leads.list(orgId, campaignId)).toEqual({
      leads: [lead],
      pagination: { total: 1, limit: 100, offset: 0 },
    });
    expect(await totals(operations, campaignId)).toEqual([1, 0, 0]);
    await operations.leads.remove(orgId, campaignId, lead.id);
    expect(await totals(operations, campaignId)).toEqual([0, 0, 0]);
    expect((await refusal(operations.leads.remove(orgId, campaignId, lead.id))).code).toBe('lead_not_found');
  });

  it('is refused when the campaign already has its number', async () => {
    const { operations, campaignId } = await withCampaign();
    await operations.leads.add(orgId, campaignId, { phone_number: number(1) });
    const adding = operations.leads.add(orgId, campaignId, { phone_number: number(1) });
    const error = await refusal(adding);
    expect([error.status, ...faultsOf(error)]).toEqual([409, 'phone_number duplicate_lead']);
    expect(await totals(operations, campaignId)).toEqual([1, 0, 0]);
  });

  it('is added once when several requests add it at the same time', async () => {
    const { operations, campaignId } = await withCampaign();
    const adding = Array.from({ length: 8 }, () =>
      operations.leads.add(orgId, campaignId, { phone_number: number(1) }),
    );
    const outcomes = await Promise.allSettled(adding);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await totals(operations, campaignId)).toEqual([1, 0, 0]);
  });

  it('cannot be removed during its call, and is subtracted from the totals when removed', async () => {
    const { operations, storage, campaignId } = await withCampaign();
    const lead = await operations.leads.add(orgId, campaignId, { phone_number: number(1) });
    await storage.leads.update(orgId, lead.id, { status: 'calling' });
    const error = await refusal(operations.leads.remove(orgId, campaignId, lead.id));
    expect([error.status, error.code]).toEqual([409, 'lead_in_progress']);
    await storage.leads.update(orgId, lead.id, { status: 'completed' });
    await storage.campaigns.increment(orgId, campaignId, { completed_leads: 1 });
    await operations.leads.remove(orgId, campaignId, lead.id);
    expect(await totals(operations, campaignId)).toEqual([0, 0, 0]);
  });

  it('is accessible only through its campaign and organization', async () => {
    const { operations, campaignId } = await withCampaign();
    const lead = await operations.leads.add(orgId, campaignId, { phone_number: number(1) });
    const codes = await Promise.all([
      refusal(operations.leads.remove(otherOrgId, campaignId, lead.id)),
      refusal(operations.leads.remove(orgId, unknownId, lead.id)),
      refusal(operations.leads.list(otherOrgId, campaignId)),
      refusal(operations.leads.add(otherOrgId, campaignId, { phone_number: number(2) })),
    ]);
    expect(codes.map(({ code }) => code)).toEqual(Array(4).fill('campaign_not_found'));
  });
});

describe('adding several leads', () => {
  const bulk = [
    { phone_number: number(1) },
    { phone_number: 'nobody' },
    { phone_number: number(2), name: 'Bo' },
    { phone_number: number(1) },
    { name: 'no number' },
    'not a lead',
  ];

  it.each([
    ['skip', { created: 2, skipped: 1, failed: 3 }, 2],
    ['allow', { created: 3, skipped: 0, failed: 3 }, 3],
    ['error', { created: 2, skipped: 0, failed: 4 }, 2],
  ])('validates each lead separately, with on_duplicate "%s"', async (on_duplicate, counts, total) => {
    const { operations, campaignId } = await withCampaign();
    const result = await operations.leads.addMany(orgId, campaignId, untyped({ leads: bulk, on_duplicate }));
    expect(result).toMatchObject(counts);
    const codes = result.errors.map(({ index, code }) => `${index} ${code}`);
    const others = ['1 invalid_phone_number', '4 missing_field', '5 invalid_field'];
    expect(codes).toEqual(on_duplicate === 'error' ? [others[0], '3 duplicate_lead', ...others.slice(1)] : others);
    expect(await totals(operations, campaignId)).toEqual([total, 0, 0]);
    const { leads } = await operations.leads.list(orgId, campaignId);
    expect(leads.map(({ phone_number }) => phone_number)).toEqual([
      number(1),
      number(2),
      ...(on_duplicate === 'allow' ? [number(1)] : []),
    ]);
  });

  it('rejects only the lead that databases cannot store', async () => {
    const { operations, campaignId } = await withCampaign();
    const leads = [{ phone_number: number(1) }, { phone_number: number(2), name: 'a\0b' }];
    const result = await operations.leads.addMany(orgId, campaignId, { leads });
    expect(result).toMatchObject({ created: 1, failed: 1, errors: [{ index: 1, code: 'invalid_field' }] });
  });

  it('keeps the given order', async () => {
    const { operations, campaignId } = await withCampaign();
    const leads = Array.from({ length: 300 }, (_, n) => ({ phone_number: number(n) }));
    await operations.leads.addMany(orgId, campaignId, { leads });
    const listed = await operations.leads.list(orgId, campaignId, { limit: '1000' });
    expect(listed.leads.map(({ phone_number }) => phone_number)).toEqual(leads.map((lead) => lead.phone_number));
  });

  it('accepts at most 1,000 leads', async () => {
    const { operations, campaignId } = await withCampaign();
    const leads = Array.from({ length: 1_001 }, (_, n) => ({ phone_number: number(n) }));
    expect(faultsOf(await refusal(operations.leads.addMany(orgId, campaignId, { leads })))).toEqual([
      'leads invalid_field',
    ]);
  });
});

describe('importing leads from a CSV file', () => {
  async function* inPieces(text: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
  }

  async function imported(
    csv: string | Uint8Array,
    query: Record<string, string> = {},
  ): Promise<{
    result: BulkResult;
    leads: { phone_number: string; name: string | null; variables: Record<string, unknown> }[];
  }> {
    const { operations, campaignId } = await withCampaign();
    const result = await operations.leads.importCsv(orgId, campaignId, inPieces(csv), query);
    const { leads } = await operations.leads.list(orgId, campaignId, { limit: 1_000 });
    return {
      result,
      leads: leads.map(({ phone_number, name, variables }) => ({ phone_number, name, variables })),
    };
  }

  it('stores every other column as a variable', async () => {
    const { result, leads } = await imported(
      '\uFEFFname,phone_number,"note, long"\r\nÅsa,+31 6 1234 0001,"says ""hi""\r\ntwice"\r\n\r\n,+31612340002,\r\n',
    );
    expect(result).toEqual({ created: 2, skipped: 0, failed: 0, errors: [] });
    expect(leads).toEqual([
      { phone_number: number(1), name: 'Åsa', variables: { name: 'Åsa', 'note, long': 'says "hi"\r\ntwice' } },
      { phone_number: number(2), name: null, variables: { name: '', 'note, long': '' } },
    ]);
  });

  it('reports errors by row', async () => {
    const { result } = await imported(
      `phone_number,city\n${number(1)},Delft\n12,Delft\n${number(2)}\n${number(1)},X\n`,
    );
    expect(result).toMatchObject({ created: 1, skipped: 1, failed: 2 });
    expect(result.errors).toEqual([
      expect.objectContaining({ index: 1, phone_number: '12', code: 'invalid_phone_number' }),
      expect.objectContaining({ index: 2, phone_number: null, code: 'invalid_csv' }),
    ]);
  });

  it('creates nothing in a dry run', async () => {
    const { result, leads } = await imported(`phone_number\n${number(1)}\n${number(1)}\n`, { dry_run: 'true' });
    expect(result).toMatchObject({ created: 1, skipped: 1, failed: 0 });
    expect(leads).toEqual([]);
  });

  it.each([
    ['an empty file', ''],
    ['a file without the column', 'phone,name\n+31612340001,A\n'],
    ['a column named twice', 'phone_number,a,a\n'],
    ['a column without a name', 'phone_number,\n'],
    ['a quote that never ends', 'phone_number\n"+31612340001\n'],
    ['what is not UTF-8', Uint8Array.from([...new TextEncoder().encode('phone_number,a\n+31612340001,'), 0xff, 0x0a])],
    ['more than 10,000 rows', `phone_number\n${'+31612340001\n'.repeat(10_001)}`],
  ])('refuses %s', async (_name, csv) => {
    const error = await refusal(imported(csv));
    expect([error.status, error.code]).toEqual([400, 'invalid_csv']);
  });

  it('accepts 10,000 rows', async () => {
    const rows = Array.from({ length: 10_000 }, (_, n) => `+316${String(10_000_000 + n)}`);
    const { operations, campaignId } = await withCampaign();
    const csv = `phone_number\n${rows.join('\n')}`;
    const result = await operations.leads.importCsv(orgId, campaignId, inPieces(csv, 65_536));
    expect(result).toMatchObject({ created: 10_000, failed: 0 });
    expect(await totals(operations, campaignId)).toEqual([10_000, 0, 0]);
  });
});

describe('listing leads', () => {
  it('is by age, oldest first, a page at a time', async () => {
    const { operations, campaignId } = await withCampaign();
    const leads = [1, 2, 3].map((n) => ({ phone_number: number(n) }));
    await operations.leads.addMany(orgId, campaignId, { leads });
    const page = async (query: object) => {
      const { leads: found, pagination } = await operations.leads.list(orgId, campaignId, query);
      return [found.map(({ phone_number: phone }) => phone), pagination];
    };
    expect(await page({})).toEqual([[1, 2, 3].map(number), { total: 3, limit: 100, offset: 0 }]);
    expect(await page({ limit: '1', offset: '1' })).toEqual([[number(2)], { total: 3, limit: 1, offset: 1 }]);
  });

  it('of one status has the total of that status', async () => {
    const { operations, storage, campaignId } = await withCampaign();
    const leads = [1, 2, 3].map((n) => ({ phone_number: number(n) }));
    await operations.leads.addMany(orgId, campaignId, { leads });
    const [first] = (await operations.leads.list(orgId, campaignId)).leads;
    await storage.leads.update(orgId, first?.id ?? '', { status: 'failed' });
    await storage.campaigns.increment(orgId, campaignId, { pending_leads: -1, failed_leads: 1 });
    const of = async (status: 'pending' | 'failed' | 'completed') => {
      const { leads: found, pagination } = await operations.leads.list(orgId, campaignId, { status });
      return [found.map(({ phone_number: phone }) => phone), pagination.total];
    };
    expect([await of('pending'), await of('failed'), await of('completed')]).toEqual([
      [[number(2), number(3)], 2],
      [[number(1)], 1],
      [[], 0],
    ]);
  });

  it.each([
    [{ status: 'lost' }, 'status invalid_field'],
    [{ limit: '1001' }, 'limit invalid_field'],
    [{ page: '2' }, 'page unknown_field'],
  ])('refuses %j', async (query, fault) => {
    const { operations, campaignId } = await withCampaign();
    expect(faultsOf(await refusal(operations.leads.list(orgId, campaignId, untyped(query))))).toEqual([fault]);
  });

  it('omits the internal fields of leads', async () => {
    const { operations, campaignId } = await withCampaign();
    await operations.leads.addMany(orgId, campaignId, { leads: [{ phone_number: number(1) }] });
    const [lead] = (await operations.leads.list(orgId, campaignId)).leads;
    expect(lead).toHaveProperty('attempts', 0);
    for (const hidden of ['unique_number', 'dial_failures']) expect(lead).not.toHaveProperty(hidden);
  });
});

describe('removing a lead', () => {
  it('makes its campaign due, so that it completes without the last lead', async () => {
    const { operations, storage, clock, campaignId } = await withCampaign();
    const lead = await operations.leads.add(orgId, campaignId, { phone_number: number(1) });
    await clock.advance(5_000);
    await operations.leads.remove(orgId, campaignId, lead.id);
    expect(await storage.campaigns.get(orgId, campaignId)).toMatchObject({ next_pass_at: '2026-01-01T09:00:05.000Z' });
  });

  it('is not possible by another campaign of the organization', async () => {
    const { operations, campaignId } = await withCampaign();
    const lead = await operations.leads.add(orgId, campaignId, { phone_number: number(1) });
    const { id: _id, ...other } = await operations.campaigns.get(orgId, campaignId);
    const second = await operations.campaigns.create(orgId, {
      name: 'Summer',
      agent_id: other.agent_id ?? '',
      timezone: 'UTC',
      schedule_start_time: '09:00',
      schedule_end_time: '17:00',
    });
    expect((await refusal(operations.leads.remove(orgId, second.id, lead.id))).code).toBe('lead_not_found');
    expect(await totals(operations, campaignId)).toEqual([1, 0, 0]);
  });

  it('allows its number again', async () => {
    const { operations, campaignId } = await withCampaign();
    const lead = await operations.leads.add(orgId, campaignId, { phone_number: number(1) });
    await operations.leads.remove(orgId, campaignId, lead.id);
    expect((await operations.leads.add(orgId, campaignId, { phone_number: number(1) })).id).not.toBe(lead.id);
  });

  it.each(['completed', 'cancelled'] as const)('is possible once the campaign is %s, adding is not', async (status) => {
    const { operations, storage, campaignId } = await withCampaign();
    const lead = await operations.leads.add(orgId, campaignId, { phone_number: number(1) });
    await storage.campaigns.update(orgId, campaignId, { status });
    const adding = [
      operations.leads.add(orgId, campaignId, { phone_number: number(2) }),
      operations.leads.addMany(orgId, campaignId, { leads: [{ phone_number: number(2) }] }),
    ];
    for (const each of adding) {
      expect(await refusal(each)).toMatchObject({ status: 409, code: 'campaign_not_editable' });
    }
    await operations.leads.remove(orgId, campaignId, lead.id);
    expect(await totals(operations, campaignId)).toEqual([0, 0, 0]);
  });
});
