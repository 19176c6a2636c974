import { collectionSchemas } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../../src/memory/database.ts';
import type { MemoryRow, Value } from '../../src/memory/row.ts';

const orgId = 'org';

function rowOf(id: string, values: Readonly<Record<string, Value>>, owner = orgId): MemoryRow {
  return { orgId: owner, values: { created_at: `2026-01-01T00:00:0${id.at(-1)}.000Z`, ...values, id } };
}

function events(): { db: MemoryDatabase; idsOf: (where: object, owner?: string) => string[] } {
  const db = new MemoryDatabase();
  const table = db.table('callEvents');
  for (const [index, call] of ['a', 'b', 'a', 'b', 'a'].entries()) {
    db.insert(table, rowOf(`event-${index}`, { call_id: call, seq: index, type: 'tool-call' }));
  }
  db.insert(table, rowOf('event-9', { call_id: 'a', seq: 9, type: 'tool-call' }, 'another-org'));
  db.commit();
  return { db, idsOf: (where, owner = orgId) => table.candidates(owner, where).map(({ values }) => values.id) };
}

describe('MemoryTable.candidates', () => {
  it('returns the rows with the value of an indexed field, oldest first', () => {
    const { idsOf } = events();
    expect(idsOf({ call_id: 'a' })).toEqual(['event-0', 'event-2', 'event-4']);
    expect(idsOf({ call_id: 'a', type: 'tool-result' })).toEqual(['event-0', 'event-2', 'event-4']);
    expect(idsOf({ call_id: 'unknown' })).toEqual([]);
  });

  it('returns one row for the values of a unique constraint or an id', () => {
    const { idsOf } = events();
    expect(idsOf({ call_id: 'a', seq: 2 })).toEqual(['event-2']);
    expect(idsOf({ id: 'event-3' })).toEqual(['event-3']);
  });

  it('returns rows of one organization only', () => {
    const { idsOf } = events();
    expect(idsOf({ call_id: 'a' }, 'another-org')).toEqual(['event-9']);
    expect(idsOf({ call_id: 'b' }, 'another-org')).toEqual([]);
    expect(idsOf({ id: 'event-3' }, 'another-org')).toEqual([]);
  });

  it('returns all rows of the organization for a condition without an index', () => {
    const { idsOf } = events();
    expect(idsOf({ type: 'tool-call' })).toHaveLength(5);
    expect(idsOf({ call_id: { in: ['a'] } })).toHaveLength(5);
  });

  it('follows deletions, and their rollback', () => {
    const { db, idsOf } = events();
    const table = db.table('callEvents');
    const row = table.get(orgId, 'event-2');
    if (row !== undefined) db.delete(table, row);
    expect(idsOf({ call_id: 'a' })).toEqual(['event-0', 'event-4']);
    db.rollback();
    expect(idsOf({ call_id: 'a' })).toEqual(['event-0', 'event-2', 'event-4']);
  });

  it('follows changes of the indexed field, to null and back', () => {
    const db = new MemoryDatabase();
    const calls = db.table('calls');
    for (const id of ['call-1', 'call-2']) db.insert(calls, rowOf(id, { agent_id: 'agent' }));
    db.commit();
    const before = calls.get(orgId, 'call-1');
    if (before === undefined) throw new Error('The row is missing.');
    const idsOf = (agent: string): string[] =>
      calls.candidates(orgId, { agent_id: agent }).map(({ values }) => values.id);

    const moved = db.update(calls, before, { agent_id: 'another' });
    expect([idsOf('agent'), idsOf('another')]).toEqual([['call-2'], ['call-1']]);
    const changed = db.update(calls, moved, { summary: 'A summary.' });
    expect(calls.candidates(orgId, { agent_id: 'another' })).toEqual([changed]);
    db.update(calls, changed, { agent_id: null });
    expect([idsOf('agent'), idsOf('another')]).toEqual([['call-2'], []]);
    db.rollback();
    expect([idsOf('agent'), idsOf('another')]).toEqual([['call-1', 'call-2'], []]);
  });

  it('includes every field that refers to another record', () => {
    const db = new MemoryDatabase();
    for (const { name, references, fields } of collectionSchemas) {
      for (const { field } of references) {
        if (fields.find((each) => each.name === field)?.kind !== 'uuid') continue;
        const table = db.table(name);
        table.add(rowOf('record-1', { [field]: 'target' }));
        table.add(rowOf('record-2', { [field]: 'another' }));
        const found = table.candidates(orgId, { [field]: 'target' }).map(({ values }) => values.id);
        expect(found, `${name}.${field}`).toEqual(['record-1']);
        for (const row of [...table.candidates(orgId, {})]) table.remove(row);
      }
    }
  });
});
