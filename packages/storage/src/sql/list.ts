import type { Cursor, Order } from '@va/core/adapter';
import { type Expression, type OperationNodeSource, type SqlBool, sql } from 'kysely';
import { type Compilable, expressions as eb } from './database.ts';
import { conditionsSql, type ParsedFilter } from './filter.ts';
import { ofOrganization } from './of-organization.ts';
import { slot } from './statements.ts';
import type { Table } from './table.ts';

/** Input of a list statement. */
export interface ListInput {
  readonly orgId: string;
  readonly filter: ParsedFilter;
  readonly limit: number;
  readonly offset: number;
  readonly after: Cursor | undefined;
}

/** Properties that determine the SQL of a list, beside its filter. */
export interface ListShape {
  readonly order: Order;
  readonly hasOffset: boolean;
  readonly hasAfter: boolean;
}

/** Returns the query of a page of an organization's records, with all columns of the records or with those given. */
export function listQuery(
  table: Table,
  filter: ParsedFilter,
  shape: ListShape,
  columns: readonly string[] = table.columnNames,
): Compilable & OperationNodeSource {
  const { db, name, owner } = table;
  const direction = shape.order === 'newest' ? 'desc' : 'asc';
  const all = [
    ofOrganization({ owner }),
    ...conditionsSql<ListInput>(filter.where, (input) => input.filter.where),
    ...(shape.hasAfter ? [behindCursor(shape.order)] : []),
  ];
  const limit = slot<ListInput, number>((input) => input.limit);
  const offset = slot<ListInput, number>((input) => input.offset);
  const records = db.selectFrom(name).select(columns);
  if (filter.anyOf === null) {
    const page = records.where(eb.and(all)).orderBy('created_at', direction).orderBy('id', direction).limit(limit);
    if (!shape.hasOffset) return page;
    // Applies the offset to a query of ids only, so that skipped rows are read from the index alone.
    const places = db
      .selectFrom(name)
      .select('id')
      .where(eb.and(all))
      .orderBy('created_at', direction)
      .orderBy('id', direction)
      .limit(limit)
      .offset(offset);
    return records.where('id', 'in', places).orderBy('created_at', direction).orderBy('id', direction);
  }

  // Each alternative walks its own index in the order of the list, no further than the page needs; then they are
  // merged.
  const enough = slot<ListInput, number>((input) => input.limit + input.offset);
  const alternatives = filter.anyOf.map((conditions, index) => {
    const one = conditionsSql<ListInput>(conditions, (input) => input.filter.anyOf?.[index] ?? []);
    return db
      .selectFrom(name)
      .select(['created_at', 'id'])
      .where(eb.and([...all, ...one]))
      .orderBy('created_at', direction)
      .orderBy('id', direction)
      .limit(enough);
  });
  // Raw SQL, because Kysely cannot put the first query of a union in parentheses, which its LIMIT needs.
  const union = sql<{ created_at: string; id: string }>`(${sql.join(alternatives, sql` union `)})`;
  const places = db
    .selectFrom(union.as('places'))
    .select('id')
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(limit);
  return records
    .where('id', 'in', shape.hasOffset ? places.offset(offset) : places)
    .orderBy('created_at', direction)
    .orderBy('id', direction);
}

/** Returns the condition that a record follows the cursor in the order of the list. */
export function behindCursor(order: Order): Expression<SqlBool> {
  const createdAt = slot<ListInput, string | undefined>((input) => input.after?.created_at);
  const id = slot<ListInput, string | undefined>((input) => input.after?.id);
  return eb(eb.refTuple('created_at', 'id'), order === 'newest' ? '<' : '>', eb.tuple(createdAt, id));
}
