import type { StoredRecord } from '@va/core/adapter';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Result } from './connection.ts';
import { type CollectionRow, type Compilable, expressions as eb } from './database.ts';
import { conditionsSql, filterSql, type ParsedCondition, type ParsedFilter, splitSearch } from './filter.ts';
import { behindCursor, type ListInput, type ListShape, listQuery } from './list.ts';
import { ofOrganization } from './of-organization.ts';
import type { RunStatement } from './run.ts';
import { slot } from './statements.ts';
import { type Table, toRecord } from './table.ts';

/** Number of records compared with the words, the newest first, to estimate how frequent the words are; takes 10 ms. */
const probedRecords = 2_000;
/**
 * Maximum number of records compared to find frequent words, which takes 50 to 100 ms. Less frequent words are found
 * sooner by the index of words, which PostgreSQL reads to its end, with a page of the table for each match.
 */
const walkedRecords = 20_000;
/**
 * Words count as frequent if the compared records are expected to have at least this multiple of the needed matches.
 */
const margin = 1.2;

interface WalkInput extends ListInput {
  /** The condition on the words, without the others of the filter. */
  readonly search: ParsedCondition;
  /** The requested page of matches. `limit` and `offset` of the input apply to the records to compare. */
  readonly page: { readonly limit: number; readonly offset: number };
}

interface Search extends Omit<ListInput, 'limit' | 'offset'> {
  readonly page: WalkInput['page'];
  readonly order: ListShape['order'];
}

/** Returns a page of the records with certain words. The work is bounded for words of any frequency. */
export async function searchRecords<R extends StoredRecord>(
  run: RunStatement,
  table: Table,
  search: Search,
): Promise<R[]> {
  const { page } = search;
  const { atMost, isAll } = await recordsToCompare(run, table, search);
  if (atMost > 0) {
    const { rows } = await runSearch(run, table, search, 'list newest', walkInput(search, atMost), newestQuery);
    if (isAll || rows.length === page.limit) return rows.map((row) => toRecord<R>(row));
  }
  const { rows } = await runSearch(run, table, search, 'list index', search, indexedQuery);
  return rows.map((row) => toRecord<R>(row));
}

/** Returns the number of records with certain words, up to `atMost`, with work that is bounded in the same way. */
export async function countFound(
  run: RunStatement,
  table: Table,
  { orgId, filter, atMost: limit }: { readonly orgId: string; readonly filter: ParsedFilter; readonly atMost: number },
): Promise<number> {
  const search = { orgId, filter, page: { limit, offset: 0 }, order: table.schema.order, after: undefined };
  const { atMost, isAll } = await recordsToCompare(run, table, search);
  if (atMost > 0) {
    const { rows } = await runSearch(run, table, search, 'count newest', walkInput(search, atMost), countNewestQuery);
    const found = Number(rows[0]?.count);
    if (isAll || found === limit) return found;
  }
  const { rows } = await runSearch(run, table, search, 'count index', search, countIndexedQuery);
  return Number(rows[0]?.count);
}

/**
 * Returns how many of the newest records to compare with the words: 0 if the index of words is faster. `isAll` is true
 * if these are all records of the filter, or contain as many matches as needed: the index is then not read.
 */
async function recordsToCompare(
  run: RunStatement,
  table: Table,
  search: Search,
): Promise<{ readonly atMost: number; readonly isAll: boolean }> {
  const { rows } = await runSearch(run, table, search, 'probe', walkInput(search, probedRecords), probeQuery);
  const [compared, found] = [Number(rows[0]?.compared), Number(rows[0]?.found)];
  const needed = search.page.offset + search.page.limit;
  if (compared < probedRecords || found >= needed) return { atMost: probedRecords, isAll: true };
  const isFrequent = found * (walkedRecords / probedRecords) >= needed * margin;
  return { atMost: isFrequent ? walkedRecords : 0, isAll: false };
}

/** Runs a statement of a search, which is planned for its values. */
async function runSearch<I>(
  run: RunStatement,
  table: Table,
  { filter, order, after }: Search,
  name: string,
  input: I,
  build: (table: Table, filter: ParsedFilter, shape: ListShape) => Compilable,
): Promise<Result> {
  const listed = { order, hasOffset: false, hasAfter: after !== undefined };
  return await run<I>({
    shape: `search: ${name} ${table.schema.name} ${order} ${listed.hasAfter} ${filter.shape}`,
    build: () => build(table, filter, listed),
    ...{ input, isPlannedOnce: false },
  });
}

function walkInput({ orgId, filter, page, after }: Search, limit: number): WalkInput {
  const { search, others } = splitSearch(filter);
  return { orgId, filter: others, search, page, after, limit, offset: 0 };
}

function probeQuery(table: Table, filter: ParsedFilter, shape: ListShape): Compilable {
  return table.db
    .selectFrom(newestRecords(table, filter, shape).as('recent'))
    .select(({ fn }) => [
      fn.countAll<number>().as('compared'),
      fn.countAll<number>().filterWhere(wordsSql(filter)).as('found'),
    ]);
}

function newestQuery(table: Table, filter: ParsedFilter, shape: ListShape): Compilable {
  const { columnNames, db, name } = table;
  const direction = directionOf(shape);
  const found = db
    .selectFrom(newestRecords(table, filter, shape).as('recent'))
    .select('id')
    .where(wordsSql(filter))
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(slot<WalkInput, number>(({ page }) => page.limit))
    .offset(slot<WalkInput, number>(({ page }) => page.offset));
  return db
    .selectFrom(name)
    .select(columnNames)
    .where('id', 'in', found)
    .orderBy('created_at', direction)
    .orderBy('id', direction);
}

function countNewestQuery(table: Table, filter: ParsedFilter, shape: ListShape): Compilable {
  const found = table.db
    .selectFrom(newestRecords(table, filter, shape).as('recent'))
    .select('id')
    .where(wordsSql(filter))
    .limit(slot<WalkInput, number>(({ page }) => page.limit));
  return table.db.selectFrom(found.as('found')).select(({ fn }) => fn.countAll<number>().as('count'));
}

/**
 * Returns the records to compare, as a query with a LIMIT: PostgreSQL moves no condition below the LIMIT, so that it
 * never reads more records.
 */
function newestRecords(table: Table, filter: ParsedFilter, shape: ListShape): RawBuilder<CollectionRow> {
  const { search, others } = splitSearch(filter);
  const query = listQuery(table, others, shape, ['id', 'created_at', `${search.column.name}_words`]);
  // Raw SQL, because the columns are known at run time only, and the builder needs their types.
  return sql<CollectionRow>`(${query})`;
}

function wordsSql(filter: ParsedFilter): Expression<SqlBool> {
  return eb.and(conditionsSql<WalkInput>([splitSearch(filter).search], (input) => [input.search]));
}

function directionOf({ order }: Pick<ListShape, 'order'>): 'asc' | 'desc' {
  return order === 'newest' ? 'desc' : 'asc';
}

/**
 * Returns a query that finds all matches before it sorts them, because a walk in the order of the list could read all
 * other records before it finds one.
 */
function indexedQuery(table: Table, filter: ParsedFilter, { order, hasAfter }: ListShape): Compilable {
  const { db, name, columnNames } = table;
  const direction = directionOf({ order });
  const found = db
    .selectFrom(name)
    .select(['id', 'created_at'])
    .where(eb.and([inSearch(table, filter), ...(hasAfter ? [behindCursor(order)] : [])]));
  // Raw SQL, because Kysely would put the schema before `found`, which is a table expression of this statement.
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

function countIndexedQuery(table: Table, filter: ParsedFilter): Compilable {
  const found = table.db
    .selectFrom(table.name)
    .select('id')
    .where(inSearch(table, filter))
    .limit(slot<Pick<Search, 'page'>, number>(({ page }) => page.limit));
  return table.db.selectFrom(found.as('found')).select(({ fn }) => fn.countAll<number>().as('count'));
}

function inSearch({ owner }: Table, filter: ParsedFilter): Expression<SqlBool> {
  const { search, others } = splitSearch(filter);
  return eb.and([
    ofOrganization({ owner }),
    filterSql<Pick<Search, 'filter'>>(others, (input) => splitSearch(input.filter).others),
    ...indexedWordsSql(search),
  ]);
}

/**
 * Returns conditions that use the index of words. A subquery hides the words from the planner, which then expects one
 * of 200 records to match and uses the index. If it knew the words, it would read the whole table for words that are
 * frequent by its statistics.
 */
function indexedWordsSql({ column, test }: ParsedCondition): Expression<SqlBool>[] {
  const words = sql.ref(`${column.name}_words`);
  const query = (at: 'all' | 'indexed') => {
    const text = slot<Pick<Search, 'filter'>>(({ filter }) => splitSearch(filter).search.values[at === 'all' ? 0 : 1]);
    return sql`(select to_tsquery('simple', ${text}))`;
  };
  const indexed = sql<SqlBool>`${words} @@ ${query('indexed')}`;
  // Calls the function of the operator `@@`, for which PostgreSQL uses no index.
  return test === 'words' ? [indexed] : [indexed, sql<SqlBool>`ts_match_vq(${words}, ${query('all')})`];
}
