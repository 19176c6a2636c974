import type { Agent, Call, Lead, Organization } from '@va/core';
import { sampleAgent } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { sqlCollection } from '../../src/sql/collection.ts';
import { tableOf } from '../support/compiled.ts';
import { recordedStatements } from '../support/recorded-statements.ts';

type Rows = Parameters<typeof recordedStatements>[0];

function agentsOn(rows: Rows = [], rowCount?: number) {
  const { ran, run } = recordedStatements(rows, rowCount);
  return { ran, agents: sqlCollection<Agent>(run, tableOf('agents')) };
}
function callsOn(rows: Rows = []) {
  const { ran, run } = recordedStatements(rows);
  return { ran, calls: sqlCollection<Call>(run, tableOf('calls')) };
}
const one = '("org_id" = $1 and "id" = $2)';

describe('insert', () => {
  it('writes every column, and the organization', async () => {
    const { ran, agents } = agentsOn();
    const agent = sampleAgent({ name: 'Anna' });
    await agents.insert('acme', agent);
    const [{ text, values } = { text: '', values: [] }] = ran;
    expect(text).toMatch(/^insert into "va"\."agents" \("id", .*"org_id"\) values \(\$1, .*\)$/);
    expect(values).toHaveLength(tableOf('agents').columnNames.length + 1);
    expect(values).toEqual(expect.arrayContaining([agent.id, 'Anna']));
    expect(values.at(-1)).toBe('acme');
  });

  it('writes an organization without another owner, and refuses one of another id', async () => {
    const { ran, run } = recordedStatements();
    const organizations = sqlCollection<Organization>(run, tableOf('organizations'));
    await organizations.insert('acme', { id: 'acme' } as Organization);
    expect(ran[0]?.text).not.toContain('org_id');
    const foreign = { id: 'other' } as Organization;
    await expect(organizations.insert('acme', foreign)).rejects.toMatchObject({ code: 'foreign_owner' });
    await expect(organizations.insertMany('acme', [foreign])).rejects.toMatchObject({ code: 'foreign_owner' });
    expect(ran).toHaveLength(1);
  });

  it('of no records runs no statement', async () => {
    const { ran, agents } = agentsOn();
    expect([await agents.insertMany('acme', []), ran]).toEqual([[], []]);
  });
});

describe('get', () => {
  it('selects the columns of the record one by one, in its organization', async () => {
    const { ran, agents } = agentsOn([{ id: 'a' }]);
    expect(await agents.get('acme', 'a')).toEqual({ id: 'a' });
    const [{ text, values } = { text: '', values: [] }] = ran;
    expect(text).toMatch(/^select "id", .* from "va"\."agents" where /);
    expect(text.endsWith(`where ${one}`)).toBe(true);
    expect(values).toEqual(['acme', 'a']);
    expect(text).not.toContain('*');
  });

  it('is null without a row', async () => {
    expect(await agentsOn().agents.get('acme', 'a')).toBeNull();
  });

  it('has one shape for all ids, so that it is compiled once', async () => {
    const { ran, agents } = agentsOn();
    await agents.get('acme', 'a');
    await agents.get('other', 'b');
    expect(ran[0]?.shape).toBe(ran[1]?.shape);
    expect(ran[1]?.values).toEqual(['other', 'b']);
  });
});

describe('lock', () => {
  it('locks the record without delaying records that refer to it', async () => {
    const { ran, agents } = agentsOn();
    await agents.lock('acme', 'a');
    expect(ran[0]?.text).toMatch(/ for no key update$/);
  });

  it('locks only a record that is as expected', async () => {
    const { ran, run } = recordedStatements();
    const leads = sqlCollection<Lead>(run, tableOf('leads'));
    await leads.lock('acme', 'l', { status: 'pending' });
    expect(ran[0]?.text).toContain('("org_id" = $1 and "id" = $2 and "status" = $3)');
    expect(ran[0]?.values).toEqual(['acme', 'l', 'pending']);
  });
});

describe('update', () => {
  it('sets the changed columns, and returns the record', async () => {
    const { ran, agents } = agentsOn([{ id: 'a', name: 'Bob' }]);
    expect(await agents.update('acme', 'a', { name: 'Bob' })).toEqual({ id: 'a', name: 'Bob' });
    expect(ran[0]?.text).toMatch(
      /^update "va"\."agents" set "name" = \$1 where \("org_id" = \$2 and "id" = \$3\) returning "id", /,
    );
    expect(ran[0]?.values).toEqual(['Bob', 'acme', 'a']);
  });

  it.each([
    ['no change', {}],
    ['an undefined value', { name: undefined }],
    ['fields that never change', { id: 'b', created_at: '2030-01-01T00:00:00.000Z' }],
    ['unknown fields', { unknown: 1 }],
  ])('of %s only reads the record', async (_name, changes) => {
    const { ran, agents } = agentsOn([{ id: 'a' }]);
    expect(await agents.update('acme', 'a', changes as Partial<Agent>)).toEqual({ id: 'a' });
    expect(ran[0]?.text).toMatch(/^select /);
  });

  it('is null for a record that is not as expected', async () => {
    const { run } = recordedStatements();
    const leads = sqlCollection<Lead>(run, tableOf('leads'));
    expect(await leads.update('acme', 'l', { status: 'calling' }, { status: 'pending' })).toBeNull();
  });

  it('has another shape for other columns and other conditions', async () => {
    const { ran, run } = recordedStatements();
    const leads = sqlCollection<Lead>(run, tableOf('leads'));
    await leads.update('acme', 'l', { status: 'calling' });
    await leads.update('acme', 'l', { status: 'calling' }, { status: 'pending' });
    await leads.update('acme', 'l', { status: 'calling' }, { status: { in: ['pending', 'failed'] } });
    await leads.update('acme', 'l', { name: 'x' });
    await leads.update('acme', 'm', { name: 'y' });
    expect(new Set(ran.map(({ shape }) => shape)).size).toBe(4);
  });
});

describe('updateMany', () => {
  it('changes all matching records, and returns their number', async () => {
    const { ran, run } = recordedStatements([], 7);
    const leads = sqlCollection<Lead>(run, tableOf('leads'));
    expect(await leads.updateMany('acme', { where: { status: 'calling' } }, { status: 'pending' })).toBe(7);
    expect(ran[0]?.text).toBe('update "va"."leads" set "status" = $1 where ("org_id" = $2 and "status" = $3)');
    expect(ran[0]?.values).toEqual(['pending', 'acme', 'calling']);
  });

  it('of no change counts the matching records', async () => {
    const { ran, run } = recordedStatements([{ count: '3' }]);
    const leads = sqlCollection<Lead>(run, tableOf('leads'));
    expect(await leads.updateMany('acme', {}, {})).toBe(3);
    expect(ran[0]?.text).toMatch(/^select count\(\*\)/);
  });
});

describe('increment', () => {
  it('adds to the columns in the database', async () => {
    const { ran, run } = recordedStatements([{ id: 'l' }]);
    const leads = sqlCollection<Lead>(run, tableOf('leads'));
    await leads.increment('acme', 'l', { attempts: 2 }, { status: 'calling' });
    expect(ran[0]?.text).toMatch(/^update "va"\."leads" set "attempts" = "attempts" \+ \$1 where /);
    expect(ran[0]?.values).toEqual([2, 'acme', 'l', 'calling']);
  });
});

describe('delete', () => {
  it.each([
    [1, true],
    [0, false],
  ])('of %i records returns %j', async (rowCount, expected) => {
    const { ran, agents } = agentsOn([], rowCount);
    expect(await agents.delete('acme', 'a')).toBe(expected);
    expect(ran[0]?.text).toBe(`delete from "va"."agents" where ${one}`);
  });
});

describe('count', () => {
  it('reads the count, also where the driver returns it as a text', async () => {
    expect(await callsOn([{ count: '12' }]).calls.count('acme', { where: { agent_id: 'a' } })).toBe(12);
  });

  it('stops at a limit', async () => {
    const { ran, calls } = callsOn([{ count: 5 }]);
    expect(await calls.count('acme', { where: { agent_id: 'a' } }, 5)).toBe(5);
    expect(ran[0]?.text).toMatch(/ limit \$3\) as "found"$/);
    expect(ran[0]?.shape).toMatch(/countUpTo/);
  });

  it('with a limit searches words as far as needed', async () => {
    const { ran, calls } = callsOn([{ compared: 10, found: 1, count: 1 }]);
    await calls.count('acme', { where: { messages: { words: ['blue'] } } }, 5);
    expect(ran.map(({ shape }) => shape)).toEqual([
      expect.stringMatching(/^search: probe/),
      expect.stringMatching(/^search: count newest/),
    ]);
  });
});

describe('list', () => {
  it('returns the records of a page in the order of the collection', async () => {
    const { ran, calls } = callsOn([{ id: 'b' }, { id: 'a' }]);
    expect(await calls.list('acme', { limit: 2 })).toEqual([{ id: 'b' }, { id: 'a' }]);
    expect(ran[0]?.text).toMatch(/where "org_id" = \$1 order by "created_at" desc, "id" desc limit \$2$/);
  });

  it.each([
    ['one condition of equality', { where: { agent_id: 'a' } }, true],
    ['no condition', {}, true],
    ['two conditions', { where: { agent_id: 'a', direction: 'inbound' } }, false],
    ['a list of values', { where: { status: { in: ['ended', 'failed'] } } }, false],
  ])('plans %s once: %j', async (_name, filter, isPlannedOnce) => {
    const { ran, calls } = callsOn();
    await calls.list('acme', { limit: 2, ...(filter as object) });
    expect(ran[0]?.isPlannedOnce).toBe(isPlannedOnce);
  });

  it('has another shape for an offset, a cursor and another order', async () => {
    const { ran, calls } = callsOn();
    const after = { created_at: '2026-01-01T00:00:00.000Z', id: 'a' };
    for (const page of [{}, { offset: 5 }, { after }, { order: 'oldest' as const }, { offset: 0 }]) {
      await calls.list('acme', { limit: 2, ...page });
    }
    expect(new Set(ran.map(({ shape }) => shape)).size).toBe(4);
  });

  it('searches words', async () => {
    const { ran, calls } = callsOn([{ compared: 0, found: 0 }]);
    await calls.list('acme', { limit: 2, where: { messages: { words: ['blue'] } } });
    expect(ran[0]?.shape).toMatch(/^search: probe/);
  });
});

describe('sums', () => {
  it('are 0 for no records', async () => {
    const { ran, calls } = callsOn([{ duration_seconds: 0 }]);
    expect(await calls.sum('acme', ['duration_seconds'], { where: { agent_id: 'a' } })).toEqual({
      duration_seconds: 0,
    });
    expect(ran[0]?.text).toMatch(/^select coalesce\(sum\("duration_seconds"\), 0\) as "duration_seconds" from /);
  });
});
