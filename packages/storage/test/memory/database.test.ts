import { collectionSchemas, ReferenceViolation, UniqueViolation } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../../src/memory/database.ts';
import type { MemoryRow, Value } from '../../src/memory/row.ts';
import type { MemoryTable } from '../../src/memory/table.ts';

const orgId = 'org-1';
const otherOrgId = 'org-2';

function rowOf(id: string, values: Readonly<Record<string, Value>> = {}, owner = orgId): MemoryRow {
  return { orgId: owner, values: { created_at: '2026-01-01T00:00:00.000Z', ...values, id } };
}

/** Returns the id of a row of a table that another one refers to: an organization has the id of its owner. */
const idIn = ({ schema }: MemoryTable, id: string, owner = orgId): string => (schema.ownsItself ? owner : id);

const references = collectionSchemas.flatMap(({ name, references: fields }) =>
  fields.map(({ field, to }) => [name, field, to] as const),
);
const referrers = collectionSchemas.flatMap(({ name, referencedBy }) =>
  referencedBy.map(({ from, field, onDelete }) => [name, from, field, onDelete] as const),
);
/** The constraints of the collections that have several records per organization. */
const constraints = collectionSchemas.flatMap(({ name, unique }) =>
  unique.some(({ fields }) => fields.length === 0)
    ? []
    : unique.map((constraint) => [name, constraint.name, constraint] as const),
);

describe('a reference of MemoryDatabase', () => {
  it.each(references)('of %s by %s has to exist in %s of the same organization', (name, field, to) => {
    const db = new MemoryDatabase();
    const [table, target] = [db.table(name), db.table(to)];
    const id = idIn(target, 'target');
    expect(() => db.insert(table, rowOf('a', { [field]: id }))).toThrow(ReferenceViolation);
    db.insert(target, rowOf(idIn(target, 'foreign', otherOrgId), {}, otherOrgId));
    const foreign = { [field]: idIn(target, 'foreign', otherOrgId) };
    expect(() => db.insert(table, rowOf('a', foreign))).toThrow(expect.objectContaining({ field }));
    db.insert(target, rowOf(id));
    db.insert(table, rowOf(idIn(table, 'a'), { [field]: id }));
    const inserted = table.get(orgId, idIn(table, 'a'));
    expect(inserted?.values[field]).toBe(id);
  });

  it.each(references)('of %s by %s may be null', (name, field) => {
    const db = new MemoryDatabase();
    const table = db.table(name);
    db.insert(table, rowOf(idIn(table, 'a'), { [field]: null }));
    expect(table.get(orgId, idIn(table, 'a'))).toBeDefined();
  });

  it.each(referrers)('to %s is followed when it is deleted: %s by %s (%s)', (name, from, field, onDelete) => {
    const db = new MemoryDatabase();
    const [target, table] = [db.table(name), db.table(from)];
    const row = rowOf(idIn(target, 'target'));
    db.insert(target, row);
    db.insert(table, rowOf('a', { [field]: row.values.id }));
    db.insert(table, rowOf('b', { [field]: null }));
    db.commit();
    db.delete(target, row);
    const expected = onDelete === 'null' ? null : undefined;
    expect(table.get(orgId, 'a')?.values[field]).toBe(expected);
    expect(table.get(orgId, 'b')).toBeDefined();
    db.rollback();
    expect(target.get(orgId, row.values.id)).toBe(row);
    expect(table.get(orgId, 'a')?.values[field]).toBe(row.values.id);
  });
});

describe('a unique constraint of MemoryDatabase', () => {
  /** Inserts what a row refers to, and returns its values. */
  function valuesOf(db: MemoryDatabase, table: MemoryTable, fields: readonly string[], owner: string) {
    const values: Record<string, Value> = {};
    for (const field of fields) {
      const reference = table.schema.references.find((each) => each.field === field);
      values[field] = `value-of-${field}`;
      if (reference === undefined) continue;
      const target = db.table(reference.to);
      values[field] = idIn(target, `${owner}-${field}`, owner);
      if (target.get(owner, String(values[field])) === undefined) {
        db.insert(target, rowOf(String(values[field]), {}, owner));
      }
    }
    return values;
  }

  it.each(constraints)('of %s (%s) holds for whole values within its scope', (name, constraint, { fields, scope }) => {
    const db = new MemoryDatabase();
    const table = db.table(name);
    const values = valuesOf(db, table, fields, orgId);
    db.insert(table, rowOf('a', values));
    const again = (): void => db.insert(table, rowOf('b', values));
    expect(again).toThrow(UniqueViolation);
    expect(again).toThrow(expect.objectContaining({ constraint }));
    for (const field of fields) db.insert(table, rowOf(`without-${field}`, { ...values, [field]: null }));
    const isShared = table.schema.references.some(({ field }) => fields.includes(field));
    const elsewhere = (): void => db.insert(table, rowOf('c', valuesOf(db, table, fields, otherOrgId), otherOrgId));
    if (scope === 'organization' || isShared) elsewhere();
    else expect(elsewhere).toThrow(UniqueViolation);
  });

  it.each(constraints)('of %s (%s) lets a row keep its values, and frees those it had', (name, _, { fields }) => {
    const db = new MemoryDatabase();
    const table = db.table(name);
    const values = valuesOf(db, table, fields, orgId);
    const before = rowOf('a', values);
    db.insert(table, before);
    const after = db.update(table, before, values);
    db.delete(table, after);
    db.insert(table, rowOf('b', values));
    expect(table.get(orgId, 'b')).toBeDefined();
  });

  it('without fields allows one record of an organization', () => {
    const db = new MemoryDatabase();
    const table = db.table('mailDomains');
    db.insert(table, rowOf('a', { domain_name: 'a.test' }));
    expect(() => db.insert(table, rowOf('b', { domain_name: 'b.test' }))).toThrow(
      expect.objectContaining({ constraint: 'organization' }),
    );
    db.insert(table, rowOf('c', { domain_name: 'c.test' }, otherOrgId));
    expect(table.get(otherOrgId, 'c')).toBeDefined();
  });

  it('of an id holds over all organizations', () => {
    const db = new MemoryDatabase();
    const table = db.table('callEvents');
    db.insert(table, rowOf('a', { call_id: 'x', seq: 1 }));
    expect(() => db.insert(table, rowOf('a', { call_id: 'x', seq: 2 }, otherOrgId))).toThrow(
      expect.objectContaining({ constraint: 'id' }),
    );
  });
});

describe('MemoryDatabase', () => {
  it('undoes all changes since the last commit, the last one first', () => {
    const db = new MemoryDatabase();
    const table = db.table('callEvents');
    const kept = rowOf('a', { call_id: 'x', seq: 1 });
    db.insert(table, kept);
    db.commit();
    const changed = db.update(table, kept, { seq: 2 });
    db.insert(table, rowOf('b', { call_id: 'x', seq: 1 }));
    db.delete(table, changed);
    db.insert(table, rowOf('c', { call_id: 'x', seq: 2 }));
    db.rollback();
    expect(table.candidates(orgId, {})).toEqual([kept]);
    db.rollback();
    expect(table.get(orgId, 'a')).toBe(kept);
  });

  it('changes nothing when a change is refused', () => {
    const db = new MemoryDatabase();
    const table = db.table('callEvents');
    db.insert(table, rowOf('a', { call_id: 'x', seq: 1 }));
    const other = rowOf('b', { call_id: 'x', seq: 2 });
    db.insert(table, other);
    db.commit();
    expect(() => db.update(table, other, { seq: 1 })).toThrow(UniqueViolation);
    expect(table.get(orgId, 'b')).toBe(other);
  });

  it('never changes the id and the time of a record', () => {
    const db = new MemoryDatabase();
    const table = db.table('callEvents');
    const row = rowOf('a', { call_id: 'x', seq: 1 });
    db.insert(table, row);
    const { values } = db.update(table, row, { id: 'b', created_at: '2030-01-01T00:00:00.000Z', seq: 2 });
    expect(values).toEqual({ ...row.values, seq: 2 });
  });

  it('refuses an organization that belongs to another one', () => {
    const db = new MemoryDatabase();
    const schema = collectionSchemas.find(({ ownsItself }) => ownsItself);
    if (schema === undefined) throw new Error('No record owns itself.');
    expect(() => db.insert(db.table(schema.name), rowOf(otherOrgId))).toThrow(
      expect.objectContaining({ code: 'foreign_owner' }),
    );
  });
});
