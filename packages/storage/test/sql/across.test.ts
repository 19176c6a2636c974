import type { Lead, Organization } from '@va/core';
import { describe, expect, it } from 'vitest';
import { sqlAcross } from '../../src/sql/across.ts';
import { tableOf } from '../support/compiled.ts';
import { recordedStatements } from '../support/recorded-statements.ts';

const row = { owner_id: 'acme', id: 'l', status: 'pending' };

function leadsOn(rows: Parameters<typeof recordedStatements>[0] = [row], rowCount?: number) {
  const { ran, run } = recordedStatements(rows, rowCount);
  return { ran, leads: sqlAcross<Lead>(run, tableOf('leads')) };
}

describe('find', () => {
  it('returns records with their organization', async () => {
    expect(await leadsOn().leads.find({}, 10)).toEqual([{ orgId: 'acme', record: { id: 'l', status: 'pending' } }]);
  });

  it('selects the records of all organizations', async () => {
    const { ran, leads } = leadsOn();
    await leads.find({ where: { status: 'pending' } }, 10);
    expect(ran[0]?.text).toMatch(/^select "org_id" as "owner_id", "id", .* where "status" = \$1 order by /);
    expect(ran[0]?.values).toEqual(['pending', 10]);
  });

  it('takes the id of an organization for its owner', async () => {
    const { ran, run } = recordedStatements([{ owner_id: 'acme', id: 'acme' }]);
    const organizations = sqlAcross<Organization>(run, tableOf('organizations'));
    expect(await organizations.find({}, 1)).toEqual([{ orgId: 'acme', record: { id: 'acme' } }]);
    expect(ran[0]?.text).toContain('"id" as "owner_id"');
  });

  it.each([
    [undefined, '"created_at" asc nulls last'],
    ['next_attempt_at', '"next_attempt_at" asc nulls last'],
    ['status', '"status" collate "C" asc nulls last'],
  ] as const)('orders by %s, then by time and id', async (orderBy, order) => {
    const { ran, leads } = leadsOn();
    await leads.find({}, 10, orderBy);
    expect(ran[0]?.text).toContain(`order by ${order}, "created_at", "id" limit $1`);
  });

  it('has another shape for another order', async () => {
    const { ran, leads } = leadsOn();
    await leads.find({}, 10);
    await leads.find({}, 20);
    await leads.find({}, 10, 'status');
    expect(new Set(ran.map(({ shape }) => shape)).size).toBe(2);
  });
});

describe('claim', () => {
  const claim = async (orderBy?: 'next_attempt_at') => {
    const { ran, leads } = leadsOn();
    const claimed = await leads.claim({
      ...{ filter: { where: { status: 'pending' } }, changes: { status: 'calling' }, limit: 3 },
      ...(orderBy === undefined ? {} : { orderBy }),
    });
    return { claimed, text: ran[0]?.text ?? '', values: ran[0]?.values };
  };

  it('picks, changes and returns records in one statement', async () => {
    const { claimed, text, values } = await claim();
    expect(claimed).toEqual([{ orgId: 'acme', record: { id: 'l', status: 'pending' } }]);
    expect(text).toMatch(/^with picked as materialized \( select id as picked_id, .* from "va"\."leads" where /);
    expect(text).toMatch(
      /update "va"\."leads" set "status" = \$\d from picked where id = picked_id returning "org_id" as owner_id/,
    );
    expect(values).toEqual(['pending', 3, 'calling']);
  });

  it('leaves records to the process that has locked them', async () => {
    expect((await claim()).text).toMatch(/limit \$2 for update skip locked \)/);
  });

  it('returns the records in the order in which they were picked', async () => {
    const { text } = await claim('next_attempt_at');
    expect(text).toContain('"next_attempt_at" as picked_by');
    expect(text).toMatch(/order by picked_by asc nulls last, picked_at, id$/);
  });
});

describe('purge', () => {
  it('deletes the oldest records that no other process has locked, and counts them', async () => {
    const { ran, leads } = leadsOn([], 4);
    expect(await leads.purge({ where: { status: 'failed' } }, 100)).toBe(4);
    expect(ran[0]?.text).toBe(
      'delete from "va"."leads" where "id" = any(array((select "id" from "va"."leads" where "status" = $1 ' +
        'order by "created_at", "id" limit $2 for update skip locked)))',
    );
    expect(ran[0]?.values).toEqual(['failed', 100]);
  });
});

describe('insertMany', () => {
  it('runs no statement for no records', async () => {
    const { ran, leads } = leadsOn([]);
    expect([await leads.insertMany([]), ran]).toEqual([[], []]);
  });

  it('refuses an organization that is given to another one', async () => {
    const { ran, run } = recordedStatements();
    const organizations = sqlAcross<Organization>(run, tableOf('organizations'));
    const owned = [{ orgId: 'acme', record: { id: 'other' } as Organization }];
    await expect(organizations.insertMany(owned)).rejects.toMatchObject({ code: 'foreign_owner' });
    expect(ran).toEqual([]);
  });
});
