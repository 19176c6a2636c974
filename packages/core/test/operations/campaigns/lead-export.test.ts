import { sampleCall } from '@va/testkit';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { NewLead } from '../../../src/domain/campaigns/lead.ts';
import { systemRandom } from '../../../src/ids.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { orgId, otherOrgId, refusal, testOperations, unknownId } from '../support.ts';

type Parts = ReturnType<typeof testOperations> & { campaignId: string };

async function withLeads(leads: readonly NewLead[]): Promise<Parts> {
  const parts = testOperations({ random: systemRandom });
  const agent = await parts.operations.agents.create(orgId, { name: 'Sales' });
  const hours = { schedule_start_time: '09:00', schedule_end_time: '17:00', timezone: 'UTC' };
  const { id } = await parts.operations.campaigns.create(orgId, { name: 'Spring', agent_id: agent.id, ...hours });
  for (let n = 0; n < leads.length; n += 1_000) {
    const errors = (await parts.operations.leads.addMany(orgId, id, { leads: leads.slice(n, n + 1_000) })).errors;
    expect(errors).toEqual([]);
    await parts.clock.advance(1);
  }
  return { ...parts, campaignId: id };
}

const number = (n: number): string => `+3161${String(n).padStart(7, '0')}`;

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

async function exported({ operations, campaignId }: Parts): Promise<string> {
  return await textOf(await operations.leads.exportCsv(orgId, campaignId));
}

/** Parses the export as a spreadsheet does. */
async function table(parts: Parts): Promise<Record<string, string>[]> {
  return parse(await exported(parts), { bom: true, columns: true });
}

describe('the export of leads', () => {
  it('has one row per lead, with its last call and its variables', async () => {
    const parts = await withLeads([
      { phone_number: number(1), name: 'Jan', variables: { city: 'Den Haag', amount: -5 } },
      { phone_number: number(2), variables: { tags: ['a', 'b'], vip: true, gone: null } },
    ]);
    const { storage, operations, campaignId } = parts;
    const [first] = (await operations.leads.list(orgId, campaignId)).leads;
    const call = { ...callRecord, lead_id: first?.id ?? '', campaign_id: campaignId };
    await storage.calls.insert(orgId, call);
    const after = { status: 'completed', attempts: 2, call_id: call.id, last_end_reason: 'user_hangup' } as const;
    await storage.leads.update(orgId, first?.id ?? '', after);
    expect(await exported(parts)).toBe(
      [
        '\uFEFFphone_number,name,status,attempts,last_end_reason,status_reason,call_id,duration_seconds,summary,' +
          'city,amount,tags,vip,gone',
        `${number(1)},Jan,completed,2,user_hangup,,${call.id},42,"He said: ""yes"", and\nhung up.",Den Haag,-5,,,`,
        `${number(2)},,pending,0,,,,,,,,"[""a"",""b""]",true,`,
        '',
      ].join('\r\n'),
    );
  });

  it('contains only the header when there are no leads', async () => {
    expect(await exported(await withLeads([]))).toMatch(/^\uFEFFphone_number,[\w,]+,summary\r\n$/);
  });

  it('escapes cells that a spreadsheet would evaluate as formulas', async () => {
    const nasty = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1+1', '＋1', '－1', '＠SUM(A1)'];
    const variables = { ...Object.fromEntries(nasty.map((text, n) => [`v${n}`, text])), '=cmd': 'plain' };
    const parts = await withLeads([
      { phone_number: number(1), name: '=HYPERLINK("http://x")', variables: { ...variables, mobile: number(9) } },
    ]);
    const [row = {}] = await table(parts);
    const cells = nasty.map((_, n) => row[`v${n}`]);
    expect(cells).toEqual(nasty.map((text) => `'${text}`));
    expect(row).toMatchObject({ name: `'=HYPERLINK("http://x")`, "'=cmd": 'plain' });
    // Phone numbers are not escaped.
    expect(row).toMatchObject({ phone_number: number(1), mobile: number(9) });
  });

  it('renames a variable named like a column unless both have the same value', async () => {
    const same = await withLeads([{ phone_number: number(1), name: 'Jan', variables: { name: 'Jan', city: 'Delft' } }]);
    expect(Object.keys((await table(same))[0] ?? {}).slice(9)).toEqual(['city']);
    const other = await withLeads([
      { phone_number: number(1), name: 'Jan', variables: { name: 'J.', status: 'vip', 'variables.status': 'x' } },
    ]);
    expect((await table(other))[0]).toMatchObject({
      name: 'Jan',
      status: 'pending',
      'variables.name': 'J.',
      'variables.variables.status': 'vip',
      'variables.status': 'x',
    });
  });

  it('reads one page at a time, and contains only the leads present at its start', async () => {
    const parts = await withLeads(
      Array.from({ length: 1_203 }, (_, n) => ({ phone_number: number(n), variables: { n: `${n}` } })),
    );
    const { operations, storage, campaignId, clock } = parts;
    const { operations: watched, reads } = counting(storage, parts);
    const chunks = await watched.leads.exportCsv(orgId, campaignId);
    const surveyed = reads();
    const iterator = chunks[Symbol.asyncIterator]();
    await iterator.next();
    expect(reads()).toBe(surveyed);
    await iterator.next();
    expect(reads()).toBe(surveyed + 1);
    await clock.advance(1_000);
    await operations.leads.add(orgId, campaignId, { phone_number: number(5_000), variables: { late: 'x' } });
    const rest = (await textOf({ [Symbol.asyncIterator]: () => iterator })).trimEnd().split('\r\n');
    expect(rest).toHaveLength(703);
    expect(rest.at(-1)).toMatch(/,1202$/);
    expect(await table(parts)).toHaveLength(1_204);
  });

  it('returns 404 for campaigns outside the organization', async () => {
    const { operations, campaignId } = await withLeads([]);
    for (const [owner, id] of [
      [orgId, unknownId],
      [orgId, 'none'],
      [otherOrgId, campaignId],
    ] as const) {
      const error = await refusal(operations.leads.exportCsv(owner, id));
      expect([error.status, error.code]).toEqual([404, 'campaign_not_found']);
    }
  });

  it('is refused when the table would have too many columns', async () => {
    const leads = Array.from({ length: 1_001 }, (_, n) => ({ phone_number: number(n), variables: { [`v${n}`]: 1 } }));
    const { operations, campaignId } = await withLeads(leads);
    const error = await refusal(operations.leads.exportCsv(orgId, campaignId));
    expect([error.status, error.code]).toEqual([422, 'too_many_variables']);
  });
});

/** Returns operations on the same records, and a counter of their reads of leads. */
function counting(storage: Storage, { clock }: Parts): { operations: Parts['operations']; reads: () => number } {
  let count = 0;
  const leads: Storage['leads'] = {
    ...storage.leads,
    list: (owner, query) => {
      count += 1;
      return storage.leads.list(owner, query);
    },
  };
  return { operations: testOperations({ storage: { ...storage, leads }, clock }).operations, reads: () => count };
}

const callRecord = sampleCall({
  status: 'ended',
  direction: 'outbound',
  duration_seconds: 42,
  end_reason: 'user_hangup',
  summary: 'He said: "yes", and\nhung up.',
});
