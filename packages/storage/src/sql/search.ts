import type { StoredRecord } from '@va/core/adapter';
import { type Expression, type SqlBool, sql } from 'kysely';
import { type CollectionRow, type Compilable, expressions as eb } from './database.ts';
import { type Condition, type Conditions, conditionsSql, filterSql, splitSearch } from './filter.ts';
import { behindCursor, type ListInput, type ListShape, listQuery } from './list.ts';
import type { Run, Step } from './run.ts';
import { slot } from './statements.ts';
import { type Table, toRecord } from './table.ts';

/**
 * Records that are compared with the words one by one, the newest first, before the index of words is used: 5 to 10 ms.
 * Words that fill no page of fifty from these are in less than one of forty records, so that their part of the index is
 * short.
 */
const walkedRecords = 2_000;

interface SearchInput extends ListInput {
  /** The condition on the words, without the others of the filter. */
  readonly search: Condition;
  /** `limit` and `offset` of the input are those of the records to compare. */
  readonly page: { readonly limit: number; readonly offset: number };
}

interface Search extends Omit<ListInput, 'limit' | 'offset'> {
  readonly page: SearchInput['page'];
  readonly order: ListShape['order'];
}

/**
 * Returns a page of the records with certain words. Frequent words are found by reading the newest records, and others
 * by the index of words, which PostgreSQL reads to its end: for a word that is in each record, this would take seconds.
 */
export async function searchRecords<R extends StoredRecord>(run: Run, table: Table, search: Search): Promise<R[]> {
  const { filter, page, order, after } = search;
  const walk = walkInput(search);
  const shape = `${table.schema.name} ${order} ${after !== undefined} ${filter.shape}`;
  const listed = { order, hasOffset: false, hasAfter: after !== undefined };
  const newest = await run<SearchInput>({
    shape: `search newest ${shape}`,
    build: () => newestQuery(table, walk, listed),
    ...{ input: walk, isPlannedOnce: false },
  });
  if (newest.rows.length === page.limit) return newest.rows.map((row) => toRecord<R>(row));
  const { rows } = await run<Search>({
    shape: `search index ${shape}`,
    build: () => indexedQuery(table, filter, listed),
    ...{ input: search, isPlannedOnce: false },
  });
  return rows.map((row) => toRecord<R>(row));
}

/** Returns the number of records with certain words, up to `atMost`, in the same way. */
export async function countFound(
  run: Run,
  table: Table,
  { orgId, filter, atMost }: { readonly orgId: string; readonly filter: Conditions; readonly atMost: number },
): Promise<number> {
  const page = { limit: atMost, offset: 0 };
  const walk = walkInput({ orgId, filter, page, order: table.schema.order, after: undefined });
  const shape = `${table.schema.name} ${filter.shape}`;
  const count = async <I>(step: Omit<Step<I>, 'isPlannedOnce'>): Promise<number> => {
    const { rows } = await run({ ...step, isPlannedOnce: false });
    return Number(rows[0]?.count);
  };
  const newest = await count<SearchInput>({
    shape: `count newest ${shape}`,
    build: () => countNewestQuery(table, walk),
    input: walk,
  });
  if (newest === atMost) return newest;
  return await count<Pick<Search, 'orgId' | 'filter' | 'page'>>({
    shape: `count index ${shape}`,
    build: () => countIndexedQuery(table, filter),
    input: { orgId, filter, page },
  });
}

function walkInput({ orgId, filter, page, after }: Search): SearchInput {
  const { search, others } = splitSearch(filter);
  return { orgId, filter: others, search, page, after, limit: walkedRecords, offset: 0 };
}

/** PostgreSQL moves no condition below the LIMIT of the inner query, so that this one never reads more records. */
function newestQuery(table: Table, walk: SearchInput, shape: ListShape): Compilable {
  const { columnNames, db } = table;
  const direction = shape.order === 'newest' ? 'desc' : 'asc';
  return db
    .selectFrom(newestRecords(table, walk, shape, columnNames).as('recent'))
    .select(columnNames)
    .where(wordsSql(walk))
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(slot<SearchInput, number>(({ page }) => page.limit))
    .offset(slot<SearchInput, number>(({ page }) => page.offset));
}

function countNewestQuery(table: Table, walk: SearchInput): Compilable {
  const shape = { order: table.schema.order, hasOffset: false, hasAfter: false };
  const found = table.db
    .selectFrom(newestRecords(table, walk, shape, ['id']).as('recent'))
    .select('id')
    .where(wordsSql(walk))
    .limit(slot<SearchInput, number>(({ page }) => page.limit));
  return table.db.selectFrom(found.as('found')).select(({ fn }) => fn.countAll<number>().as('count'));
}

function newestRecords(table: Table, { search, filter }: SearchInput, shape: ListShape, columns: readonly string[]) {
  const query = listQuery(table, filter, shape, [...columns, `${search.column.name}_words`]);
  // Raw SQL, because the query has no type that Kysely could know here.
  return sql<CollectionRow>`(${query})`;
}

function wordsSql({ search }: SearchInput): Expression<SqlBool> {
  return eb.and(conditionsSql<SearchInput>([search], (input) => [input.search]));
}

/** Finds all records before it sorts them, because a walk in the order of the list could pass by all of the others. */
function indexedQuery(table: Table, filter: Conditions, { order, hasAfter }: ListShape): Compilable {
  const { db, name, columnNames } = table;
  const direction = order === 'newest' ? 'desc' : 'asc';
  const found = db
    .selectFrom(name)
    .select(['id', 'created_at'])
    .where(eb.and([inSearch(table, filter), ...(hasAfter ? [behindCursor(order)] : [])]));
  // Raw SQL, because Kysely would look for `found` in the schema.
  const limit = slot<Search, number>(({ page }) => page.limit);
  const offset = slot<Search, number>(({ page }) => page.offset);
  const ordered = sql.raw(`order by created_at ${direction}, id ${direction}`);
  const places = sql<string>`(select id from found ${ordered} limit ${limit} offset ${offset})`;
  return db
    .with(
      (cte) => cte('found').materialized(),
      () => found,
    )
    .selectFrom(name)
    .select(columnNames)
    .where('id', 'in', places)
    .orderBy('created_at', direction)
    .orderBy('id', direction);
}

function countIndexedQuery(table: Table, filter: Conditions): Compilable {
  const found = table.db
    .selectFrom(table.name)
    .select('id')
    .where(inSearch(table, filter))
    .limit(slot<Pick<Search, 'page'>, number>(({ page }) => page.limit));
  return table.db.selectFrom(found.as('found')).select(({ fn }) => fn.countAll<number>().as('count'));
}

function inSearch({ owner }: Table, filter: Conditions): Expression<SqlBool> {
  const { search, others } = splitSearch(filter);
  return eb.and([
    eb(
      owner,
      '=',
      slot<Pick<Search, 'orgId'>, string>((input) => input.orgId),
    ),
    filterSql<Pick<Search, 'filter'>>(others, (input) => splitSearch(input.filter).others),
    ...indexedWordsSql(search),
  ]);
}

/**
 * Hides the words from the planner in a subquery. It then expects one of two hundred records, and uses the index; with
 * the words, it would read the whole table for some that are frequent by its statistics.
 */
function indexedWordsSql({ column, test }: Condition): Expression<SqlBool>[] {
  const words = sql.ref(`${column.name}_words`);
  const query = (at: 'all' | 'indexed') => {
    const text = slot<Pick<Search, 'filter'>>(({ filter }) => splitSearch(filter).search.values[at === 'all' ? 0 : 1]);
    return sql`(select to_tsquery('simple', ${text}))`;
  };
  const indexed = sql<SqlBool>`${words} @@ ${query('indexed')}`;
  // The function of the operator, which uses no index.
  return test === 'words' ? [indexed] : [indexed, sql<SqlBool>`ts_match_vq(${words}, ${query('all')})`];
}
