import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { invalidCondition } from '../record-errors.ts';
import { expressions as eb } from './database.ts';
import { slot } from './statements.ts';
import type { Column, Table } from './table.ts';

type Scalar = string | number | boolean | null;
type ConditionInput =
  | Scalar
  | { readonly in: readonly Scalar[] }
  | { readonly gte?: Scalar; readonly lt?: Scalar }
  | { readonly words: readonly string[] };

type Comparison =
  | 'words'
  | 'words and a beginning'
  | 'is'
  | 'is null'
  | 'is not null'
  | 'in'
  | 'in or null'
  | 'never'
  | 'gte'
  | 'lt'
  | 'gte and lt';

/** Condition on one field: the column and the test, which determine the SQL, and the values. */
export interface ParsedCondition {
  readonly column: Column;
  readonly test: Comparison;
  readonly values: readonly unknown[];
}

/** A parsed filter. */
export interface ParsedFilter {
  readonly where: readonly ParsedCondition[];
  /** Alternatives, of which at least one has to hold; null without any. */
  readonly anyOf: readonly (readonly ParsedCondition[])[] | null;
  /** Properties that determine the SQL. */
  readonly shape: string;
}

/** Returns true if the same index is best for all values. */
export function isSimple({ where, anyOf }: ParsedFilter): boolean {
  return anyOf === null && where.length <= 1 && where.every(({ test }) => !isWords(test) && !test.startsWith('in'));
}

/** Parses a filter. Throws `TypeError` for an invalid condition: ignoring it would match more records. */
export function parseFilter(
  table: Table,
  filter: { readonly where?: object; readonly anyOf?: readonly object[] } = {},
): ParsedFilter {
  const alternatives = (filter.anyOf ?? []).map((each) => parseWhere(table, each));
  const only = alternatives.length === 1 ? alternatives.flat() : [];
  const where = [...parseWhere(table, filter.where ?? {}), ...only];
  const anyOf = alternatives.length > 1 ? alternatives : null;
  const shape = [where, ...(anyOf ?? [])].map(shapeOf).join('|');
  return { where, anyOf, shape };
}

/** Parses conditions that all have to hold. Throws `TypeError` for an invalid one. */
export function parseWhere(table: Table, where: object): ParsedCondition[] {
  return Object.entries(where).map(([name, given]: [string, ConditionInput | undefined]) => {
    const column = table.column(name);
    if (isSearch(given) && table.schema.searched.includes(name)) {
      return wordsCondition(column, given.words);
    }
    if (given === undefined || isSearch(given) || column.kind === 'json') {
      throw invalidCondition(table.schema, name, given);
    }
    return parseCondition(column, given);
  });
}

function isSearch(given: ConditionInput | undefined): given is { readonly words: readonly string[] } {
  return typeof given === 'object' && given !== null && 'words' in given;
}

/**
 * Minimum number of letters of the beginning of a word that is looked up in the index of words. A shorter beginning
 * matches so many words that comparing the records is faster.
 */
const minIndexedBeginning = 3;

/** Returns a condition with two values: the query for all words, and the query for those to look up in the index. */
function wordsCondition(column: Column, words: readonly string[]): ParsedCondition {
  const all = textQuery(words);
  const isShort = words.length > 1 && (words.at(-1)?.length ?? 0) < minIndexedBeginning;
  if (!isShort) return { column, test: 'words', values: [all, all] };
  return { column, test: 'words and a beginning', values: [all, words.slice(0, -1).join(' & ')] };
}

/** Returns a text query. Words consist of letters and digits, so they contain none of its operators. */
function textQuery(words: readonly string[]): string {
  return `${words.join(' & ')}:*`;
}

function isWords(test: Comparison): boolean {
  return test === 'words' || test === 'words and a beginning';
}

/** Returns true if the filter has a condition on words that all its records match. */
export function isSearchFor({ where }: ParsedFilter): boolean {
  return where.some(({ test }) => isWords(test));
}

/** Splits a filter into its condition on words and all others. Throws `Error` if it has no such condition. */
export function splitSearch(filter: ParsedFilter): { readonly search: ParsedCondition; readonly others: ParsedFilter } {
  const search = filter.where.find(({ test }) => isWords(test));
  if (search === undefined) throw new Error('The filter has no condition on words: check with isSearchFor() first.');
  return { search, others: { ...filter, where: filter.where.filter((each) => each !== search) } };
}

function parseCondition(column: Column, given: Exclude<ConditionInput, { readonly words: unknown }>): ParsedCondition {
  if (given === null) return { column, test: 'is null', values: [] };
  if (typeof given !== 'object') return { column, test: 'is', values: [column.encode(given)] };
  if ('in' in given) {
    const values = given.in.filter((value) => value !== null).map(column.encode);
    if (values.length < given.in.length) return { column, test: 'in or null', values: [values] };
    if (values.length === 0) return { column, test: 'never', values: [] };
    return values.length === 1 ? { column, test: 'is', values } : { column, test: 'in', values: [values] };
  }
  const { gte, lt } = given;
  if (gte !== undefined && lt !== undefined) {
    return { column, test: 'gte and lt', values: [column.encode(gte), column.encode(lt)] };
  }
  if (gte !== undefined) return { column, test: 'gte', values: [column.encode(gte)] };
  if (lt !== undefined) return { column, test: 'lt', values: [column.encode(lt)] };
  return { column, test: 'is not null', values: [] };
}

/** Returns a text of the columns and tests of conditions, which determine their SQL. */
export function shapeOf(conditions: readonly ParsedCondition[]): string {
  return conditions.map(({ column, test }) => `${column.name} ${test}`).join(',');
}

/** Returns each condition as SQL, with values read from the same conditions of the input. */
export function conditionsSql<I>(
  conditions: readonly ParsedCondition[],
  at: (input: I) => readonly ParsedCondition[],
): Expression<SqlBool>[] {
  return conditions.map(({ column, test }, index) =>
    conditionSql(column, test, (value) => slot<I>((input) => at(input)[index]?.values[value])),
  );
}

function conditionSql(
  column: Column,
  test: Comparison,
  value: (index: number) => RawBuilder<unknown>,
): Expression<SqlBool> {
  const { name } = column;
  // Ranges of texts go by code point, whatever the collation of the database. Kysely has no COLLATE in expressions.
  const ordered = column.kind === 'text' ? sql`${sql.ref(name)} collate "C"` : sql.ref(name);
  switch (test) {
    case 'words':
    case 'words and a beginning':
      return eb(sql.ref(`${name}_words`), '@@', sql`to_tsquery('simple', ${value(0)})`);
    case 'is':
      return eb(name, '=', value(0));
    case 'is null':
      return eb(name, 'is', null);
    case 'is not null':
      return eb(name, 'is not', null);
    case 'in':
      return eb(name, '=', any(value(0)));
    case 'in or null':
      return eb.or([eb(name, '=', any(value(0))), eb(name, 'is', null)]);
    case 'never':
      return eb.lit(false);
    case 'gte':
      return eb(ordered, '>=', value(0));
    case 'lt':
      return eb(ordered, '<', value(0));
    case 'gte and lt':
      return eb.and([eb(ordered, '>=', value(0)), eb(ordered, '<', value(1))]);
  }
}

function any(values: RawBuilder<unknown>): Expression<unknown> {
  return eb.fn('any', [values]);
}

/** Returns the filter as SQL: `true` for an empty one. */
export function filterSql<I>(filter: ParsedFilter, at: (input: I) => ParsedFilter): Expression<SqlBool> {
  const all = conditionsSql<I>(filter.where, (input) => at(input).where);
  if (filter.anyOf !== null) {
    const alternatives = filter.anyOf.map((conditions, index) =>
      eb.and(conditionsSql<I>(conditions, (input) => at(input).anyOf?.[index] ?? [])),
    );
    all.push(eb.or(alternatives));
  }
  return eb.and(all);
}
