import type { CollectionSchema, Order, UniqueSchema } from '@va/core/adapter';
import { exactValues } from './matching.ts';
import type { Row, Value, Values } from './row.ts';

/** The rows of one collection, with their indexes. Constraints are checked by `Database`. */
export class Table {
  readonly schema: CollectionSchema;
  readonly #rows = new Map<string, Row>();
  /** By organization, oldest first. */
  readonly #byOrg = new Map<string, Row[]>();
  /** By constraint, then by the values that are to be unique. */
  readonly #unique = new Map<string, Map<string, Row>>();

  constructor(schema: CollectionSchema) {
    this.schema = schema;
    for (const { name } of schema.unique) this.#unique.set(name, new Map());
  }

  get(orgId: string, id: string): Row | undefined {
    const row = this.#rows.get(id);
    return row?.orgId === orgId ? row : undefined;
  }

  /** Oldest first. */
  ofOrg(orgId: string): readonly Row[] {
    return this.#byOrg.get(orgId) ?? [];
  }

  all(): Iterable<Row> {
    return this.#rows.values();
  }

  /**
   * Returns the only row that can match, if the filter names an id or the values of a unique constraint; otherwise
   * `undefined`. With `orgId` null, the row may be of any organization.
   */
  only(orgId: string | null, where: object): readonly Row[] | undefined {
    const exact = exactValues(this.schema, where);
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
   * @param before the row that it replaces
   */
  conflict(row: Row, before?: Row): string | null {
    const isTaken = (found: Row | undefined): boolean => found !== undefined && found !== before;
    if (isTaken(this.#rows.get(row.values.id))) return 'id';
    for (const constraint of this.schema.unique) {
      const key = keyOf(constraint, row);
      if (key !== null && isTaken(this.#unique.get(constraint.name)?.get(key))) return constraint.name;
    }
    return null;
  }

  add(row: Row): void {
    this.#rows.set(row.values.id, row);
    this.#index(row);
    const rows = this.#byOrg.get(row.orgId);
    if (rows === undefined) this.#byOrg.set(row.orgId, [row]);
    else rows.splice(firstAfter(rows, row.values), 0, row);
  }

  remove(row: Row): void {
    this.#rows.delete(row.values.id);
    this.#unindex(row);
    this.#byOrg.get(row.orgId)?.splice(this.#positionOf(row), 1);
  }

  /** Replaces a row by one with the same id, owner and `created_at`. */
  replace(before: Row, after: Row): void {
    this.#rows.set(after.values.id, after);
    this.#unindex(before);
    this.#index(after);
    this.#byOrg.get(before.orgId)?.splice(this.#positionOf(before), 1, after);
  }

  #ofOwner(orgId: string | null, row: Row | undefined): Row[] {
    return row !== undefined && (orgId === null || row.orgId === orgId) ? [row] : [];
  }

  #positionOf(row: Row): number {
    return firstAfter(this.ofOrg(row.orgId), row.values) - 1;
  }

  #index(row: Row): void {
    for (const constraint of this.schema.unique) {
      const key = keyOf(constraint, row);
      if (key !== null) this.#unique.get(constraint.name)?.set(key, row);
    }
  }

  #unindex(row: Row): void {
    for (const constraint of this.schema.unique) {
      const key = keyOf(constraint, row);
      if (key !== null) this.#unique.get(constraint.name)?.delete(key);
    }
  }
}

type Place = Pick<Values, 'created_at' | 'id'>;

/** Yields rows, given oldest first, in either order from a position on. */
export function* walk(rows: readonly Row[], order: Order, after: Place | undefined): Generator<Row> {
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

export function comparePlaces(a: Place, b: Place): number {
  return compare(a.created_at, b.created_at) || compare(a.id, b.id);
}

/** Nulls last. */
export function compare(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : Number(a > b);
}

/**
 * Returns the index of the first row after the position. The end is checked first, because new rows mostly belong
 * there.
 */
function firstAfter(rows: readonly Row[], place: Place): number {
  const last = rows.at(-1);
  if (last === undefined || comparePlaces(last.values, place) <= 0) return rows.length;
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row !== undefined && comparePlaces(row.values, place) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function keyOf(constraint: UniqueSchema, row: Row): string | null {
  return uniqueKey(constraint, row.orgId, (field) => row.values[field] ?? null);
}

/** Returns null if one of the values is null: nulls are never equal. */
function uniqueKey(
  { fields, scope }: UniqueSchema,
  orgId: string | null,
  valueIn: (field: string) => Value,
): string | null {
  const values = fields.map(valueIn);
  return values.includes(null) ? null : JSON.stringify(scope === 'organization' ? [orgId, ...values] : values);
}
