import type { Cursor, Order } from '@va/core';
import { type RawBuilder, sql } from 'kysely';
import { type Conditions, conditionsSql } from './filter.ts';
import { and, slot } from './statements.ts';
import type { Table } from './table.ts';

export interface ListInput {
  readonly orgId: string;
  readonly filter: Conditions;
  readonly limit: number;
  readonly offset: number;
  readonly after: Cursor | undefined;
}

interface ListShape {
  readonly order: Order;
  readonly hasOffset: boolean;
  readonly hasAfter: boolean;
}

/** A page of an organization's records. */
export function listSql(table: Table, filter: Conditions, shape: ListShape): RawBuilder<unknown> {
  const { sql: name, columnList, owner } = table;
  const direction = sql.raw(shape.order === 'newest' ? 'desc' : 'asc');
  const order = sql`order by created_at ${direction}, id ${direction}`;
  const limit = sql`limit ${slot<ListInput>((input) => input.limit)}`;
  const page = shape.hasOffset ? sql`${limit} offset ${slot<ListInput>((input) => input.offset)}` : limit;

  const all = and([
    sql`${owner} = ${slot<ListInput>((input) => input.orgId)}`,
    ...conditionsSql<ListInput>(filter.where, (input) => input.filter.where),
    ...(shape.hasAfter ? [behindCursor(shape.order)] : []),
  ]);
  if (filter.anyOf === null) return sql`select ${columnList} from ${name} where ${all} ${order} ${page}`;

  // Each alternative walks its own index in the order of the list, no further than the page needs; then they are merged.
  const enough = sql`limit ${slot<ListInput>((input) => input.limit + input.offset)}`;
  const alternatives = filter.anyOf.map((conditions, index) => {
    const one = and([all, ...conditionsSql<ListInput>(conditions, (input) => input.filter.anyOf?.[index] ?? [])]);
    return sql`(select created_at, id from ${name} where ${one} ${order} ${enough})`;
  });
  const places = sql`${sql.join(alternatives, sql` union `)} ${order} ${page}`;
  return sql`select ${columnList} from ${name} where id in (select id from (${places}) as places) ${order}`;
}

function behindCursor(order: Order): RawBuilder<unknown> {
  const createdAt = slot<ListInput>((input) => input.after?.created_at);
  const id = slot<ListInput>((input) => input.after?.id);
  return sql`(created_at, id) ${sql.raw(order === 'newest' ? '<' : '>')} (${createdAt}, ${id})`;
}
