import type { CollectionSchema, Order, UniqueSchema } from '@va/core/adapter';
import { exactValues } from './matching.ts';
import { comparePlaces, type MemoryRow, type Place, type Value } from './row.ts';
import { firstAfter, RowGroups } from './row-groups.ts';

/** The rows of one collection, with their indexes. Constraints are checked by `MemoryDatabase`. */
export class MemoryTable {
  readonly schema: CollectionSchema;
  readonly #rows = new Map<string, MemoryRow>();
  readonly #byOrg = new RowGroups();
  /** By field, then by organization and value; without nulls. */
  readonly #byField: ReadonlyMap<string, RowGroups>;
  /** By constraint, then by the values that are to be unique. */
  readonly #unique = new Map<string, Map<string, MemoryRow>>();

  constructor(schema: CollectionSchema) {
    this.schema = schema;
    for (const { name } of schema.unique) this.#unique.set(name, new Map());
    this.#byField = new Map(groupedFields(schema).map((field) => [field, new RowGroups()]));
  }

  get(orgId: string, id: string): MemoryRow | undefined {
    const row = this.#rows.get(id);
    return row?.orgId === orgId ? row : undefined;
  }

  /** Returns the rows of an organization that can match the filter, oldest first. */
  candidates(orgId: string, where: object): readonly MemoryRow[] {
    const exact = exactValues(this.schema, where);
    const only = this.#only(orgId, exact);
    if (only !== undefined) return only;
    let fewest = this.#byOrg.of(orgId);
    for (const [field, groups] of this.#byField) {
      const value = exact.get(field);
      if (typeof value !== 'string') continue;
      const group = groups.of(groupKey(orgId, value));
      if (group.length < fewest.length) fewest = group;
    }
    return fewest;
  }

  /** Returns the rows of all organizations that can match the filter, in no order. */
  candidatesAcross(where: object): Iterable<MemoryRow> {
    return this.#only(null, exactValues(this.schema, where)) ?? this.#rows.values();
  }

  /**
   * Returns the only row that can match, if an id or the values of a unique constraint are given; otherwise
   * `undefined`. With `orgId` null, the row may be of any organization.
   */
  #only(orgId: string | null, exact: ReadonlyMap<string, Value>): readonly MemoryRow[] | undefined {
    const id = exact.get('id');
    if (typeof id === 'string') return this.#ofOwner(orgId, this.#rows.get(id));
    for (const constraint of this.schema.unique) {
      if (constraint.fields.length === 0 || !constraint.fields.every((field) => exact.has(field))) continue;
      if (constraint.scope === 'organization' && orgId === null) continue;
      const key = uniqueKey(constraint, orgId, (field) => exact.get(field) ?? null);
      return this.#ofOwner(orgId, key === null ? undefined : this.#unique.get(constraint.name)?.get(key));
    }
    return undefined;
  }

  /**
   * Returns the constraint that the row would violate, or null.
   *
   * @param before the stored row that `row` replaces
   */
  conflict(row: MemoryRow, before?: MemoryRow): string | null {
    const isTaken = (found: MemoryRow | undefined): boolean => found !== undefined && found !== before;
    if (isTaken(this.#rows.get(row.values.id))) return 'id';
    for (const constraint of this.schema.unique) {
      const key = keyOf(constraint, row);
      if (key !== null && isTaken(this.#unique.get(constraint.name)?.get(key))) return constraint.name;
    }
    return null;
  }

  add(row: MemoryRow): void {
    this.#rows.set(row.values.id, row);
    this.#index(row);
    this.#byOrg.add(row.orgId, row);
    for (const [field, groups] of this.#byField) {
      const key = groupOf(field, row);
      if (key !== null) groups.add(key, row);
    }
  }

  remove(row: MemoryRow): void {
    this.#rows.delete(row.values.id);
    this.#unindex(row);
    this.#byOrg.remove(row.orgId, row);
    for (const [field, groups] of this.#byField) {
      const key = groupOf(field, row);
      if (key !== null) groups.remove(key, row);
    }
  }

  /** Replaces a row by one with the same id, owner and `created_at`. */
  replace(before: MemoryRow, after: MemoryRow): void {
    this.#rows.set(after.values.id, after);
    this.#unindex(before);
    this.#index(after);
    this.#byOrg.replace(before.orgId, before, after);
    for (const [field, groups] of this.#byField) {
      const [keyBefore, keyAfter] = [groupOf(field, before), groupOf(field, after)];
      if (keyBefore !== null && keyBefore === keyAfter) {
        groups.replace(keyBefore, before, after);
        continue;
      }
      if (keyBefore !== null) groups.remove(keyBefore, before);
      if (keyAfter !== null) groups.add(keyAfter, after);
    }
  }

  #ofOwner(orgId: string | null, row: MemoryRow | undefined): MemoryRow[] {
    return row !== undefined && (orgId === null || row.orgId === orgId) ? [row] : [];
  }

  #index(row: MemoryRow): void {
    for (const constraint of this.schema.unique) {
      const key = keyOf(constraint, row);
      if (key !== null) this.#unique.get(constraint.name)?.set(key, row);
    }
  }

  #unindex(row: MemoryRow): void {
    for (const constraint of this.schema.unique) {
      const key = keyOf(constraint, row);
      if (key !== null) this.#unique.get(constraint.name)?.delete(key);
    }
  }
}

/**
 * Yields rows in the given order, from the first one after a position on.
 * @param rows oldest first
 */
export function* walk(rows: readonly MemoryRow[], order: Order, after: Place | undefined): Generator<MemoryRow> {
  if (order === 'oldest') {
    for (let index = after === undefined ? 0 : firstAfter(rows, after); index < rows.length; index += 1) {
      const row = rows[index];
      if (row !== undefined) yield row;
    }
    return;
  }
  let index = rows.length;
  if (after !== undefined) {
    index = firstAfter(rows, after);
    const previous = rows[index - 1];
    if (previous !== undefined && comparePlaces(previous.values, after) === 0) index -= 1;
  }
  for (index -= 1; index >= 0; index -= 1) {
    const row = rows[index];
    if (row !== undefined) yield row;
  }
}

function keyOf(constraint: UniqueSchema, row: MemoryRow): string | null {
  return uniqueKey(constraint, row.orgId, (field) => row.values[field] ?? null);
}

/**
 * Returns the key of a row's values in a unique constraint; null if one of the values is null, because nulls are never
 * equal.
 */
function uniqueKey(
  { fields, scope }: UniqueSchema,
  orgId: string | null,
  valueIn: (field: string) => Value,
): string | null {
  const values = fields.map(valueIn);
  return values.includes(null) ? null : JSON.stringify(scope === 'organization' ? [orgId, ...values] : values);
}

/**
 * Returns the fields by which rows are indexed: ids of other records, and the first field of each unique constraint
 * within an organization. An organization has few rows per value of these fields. A field such as a status has too many
 * rows per value for an index to help.
 */
function groupedFields({ fields, indexes, references, unique }: CollectionSchema): string[] {
  const ids = fields.filter(({ name, kind }) => kind === 'uuid' && indexes.includes(name)).map(({ name }) => name);
  const referring = references.map(({ field }) => field);
  const first = unique.filter(({ scope, fields }) => scope === 'organization' && fields.length > 1);
  return [...new Set([...ids, ...referring, ...first.flatMap(({ fields }) => fields.slice(0, 1))])];
}

/** Returns the key of the group that the row belongs to by the field; null if its value is null. */
function groupOf(field: string, { orgId, values }: MemoryRow): string | null {
  const value = values[field];
  return typeof value === 'string' ? groupKey(orgId, value) : null;
}

/** Returns the key of a group. The separator is a space, which the id of an organization never contains. */
function groupKey(orgId: string, value: string): string {
  return `${orgId} ${value}`;
}
