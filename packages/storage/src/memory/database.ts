import { type CollectionName, collectionSchemas, ReferenceViolation, UniqueViolation } from '@va/core/adapter';
import { foreignOwner } from '../record-errors.ts';
import type { MemoryRow, Value } from './row.ts';
import { MemoryTable } from './table.ts';

/** All tables, with their constraints and an undo log. */
export class MemoryDatabase {
  readonly #tables: ReadonlyMap<CollectionName, MemoryTable> = new Map(
    collectionSchemas.map((schema) => [schema.name, new MemoryTable(schema)]),
  );
  /** Undo log of the changes since the last commit. */
  readonly #undo: (() => void)[] = [];

  table(name: CollectionName): MemoryTable {
    const table = this.#tables.get(name);
    if (table === undefined) throw new Error(`There is no collection ${name}.`);
    return table;
  }

  commit(): void {
    this.#undo.length = 0;
  }

  rollback(): void {
    for (let undo = this.#undo.pop(); undo !== undefined; undo = this.#undo.pop()) undo();
  }

  /** Throws `UniqueViolation`, `ReferenceViolation` or `VaError` (`foreign_owner`). */
  insert(table: MemoryTable, row: MemoryRow): void {
    if (table.schema.ownsItself && row.orgId !== row.values.id) {
      throw foreignOwner(table.schema, row.values.id, row.orgId);
    }
    const conflict = table.conflict(row);
    if (conflict !== null) throw new UniqueViolation(conflict);
    this.#checkReferences(table, row, row.values);
    table.add(row);
    this.#undo.push(() => table.remove(row));
  }

  /** Returns the changed row. Throws `UniqueViolation` or `ReferenceViolation`. */
  update(table: MemoryTable, before: MemoryRow, changes: Readonly<Record<string, Value>>): MemoryRow {
    const { id, created_at } = before.values;
    const after: MemoryRow = { orgId: before.orgId, values: { ...before.values, ...changes, id, created_at } };
    const conflict = table.conflict(after, before);
    if (conflict !== null) throw new UniqueViolation(conflict);
    this.#checkReferences(table, after, changes);
    table.replace(before, after);
    this.#undo.push(() => table.replace(after, before));
    return after;
  }

  /** Deletes the row, and updates or deletes the rows that refer to it. */
  delete(table: MemoryTable, row: MemoryRow): void {
    table.remove(row);
    this.#undo.push(() => table.add(row));
    for (const { from, field, onDelete } of table.schema.referencedBy) {
      const referring = this.table(from);
      const candidates = referring.candidates(row.orgId, { [field]: row.values.id });
      const rows = candidates.filter(({ values }) => values[field] === row.values.id);
      for (const each of rows) {
        if (onDelete === 'null') this.update(referring, each, { [field]: null });
        else this.delete(referring, each);
      }
    }
  }

  #checkReferences({ schema }: MemoryTable, row: MemoryRow, changed: Readonly<Record<string, Value>>): void {
    for (const { field, to } of schema.references) {
      const id = changed[field];
      if (typeof id !== 'string') continue;
      if (this.table(to).get(row.orgId, id) === undefined) throw new ReferenceViolation(field);
    }
  }
}
