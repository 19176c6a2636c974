import {
  type CollectionSchema,
  type Condition,
  type FieldSchema,
  type Filter,
  hasWords,
  type StoredRecord,
  type WordsCondition,
  wordsOf,
} from '@va/core/adapter';
import { invalidCondition } from '../record-errors.ts';
import { encode, type Value, type Values } from './row.ts';

/** Returns true if a record matches. */
export type Predicate = (values: Values) => boolean;

/** Returns the test of a filter. Throws `TypeError` for an invalid condition. */
export function filterTest<R extends StoredRecord>(schema: CollectionSchema, filter: Filter<R> = {}): Predicate {
  const all = whereTest(schema, filter.where ?? {});
  if (filter.anyOf === undefined) return all;
  const any = filter.anyOf.map((where) => whereTest(schema, where));
  return (values) => all(values) && (any.length === 0 || any.some((test) => test(values)));
}

/** Returns the test of conditions that all have to hold. Throws `TypeError` for an invalid one. */
export function whereTest(schema: CollectionSchema, where: object): Predicate {
  const tests = conditionsOf(schema, where).map(({ field, condition }) => conditionTest(field, condition));
  return (values) => tests.every((test) => test(values));
}

/** Returns the fields that a filter fixes to one value, with the value. */
export function exactValues(schema: CollectionSchema, where: object): Map<string, Value> {
  const exact = new Map<string, Value>();
  for (const { field, condition } of conditionsOf(schema, where)) {
    if (typeof condition !== 'object') exact.set(field.name, encode(field, condition));
  }
  return exact;
}

type AnyCondition = Condition<Value> | WordsCondition;

interface FieldCondition {
  readonly field: FieldSchema;
  readonly condition: AnyCondition;
}

/** Throws `TypeError` for an invalid condition. */
function conditionsOf(schema: CollectionSchema, where: object): FieldCondition[] {
  return Object.entries(where).map(([name, condition]: [string, AnyCondition | undefined]) => {
    const field = schema.fields.find((each) => each.name === name);
    const isSearch = typeof condition === 'object' && condition !== null && 'words' in condition;
    const isPossible = isSearch ? schema.searched.includes(name) : field?.kind !== 'json';
    if (field === undefined || !isPossible || condition === undefined) throw invalidCondition(schema, name, condition);
    return { field, condition };
  });
}

function conditionTest(field: FieldSchema, condition: AnyCondition): Predicate {
  const { name } = field;
  if (condition === null || typeof condition !== 'object') {
    const expected = encode(field, condition);
    return (values) => values[name] === expected;
  }
  if ('words' in condition) {
    const { words } = condition;
    return (values) => hasWords(searchedWords(values, name), words);
  }
  if ('in' in condition) {
    const expected = new Set(condition.in.map((value) => encode(field, value)));
    return (values) => expected.has(values[name] ?? null);
  }
  const { gte, lt } = condition;
  return (values) => {
    const value = values[name] ?? null;
    return value !== null && (gte === undefined || value >= gte) && (lt === undefined || value < lt);
  };
}

/** Cache of the words of searched records, by field: splitting a text takes longer than comparing its words. */
const known = new WeakMap<Values, Map<string, readonly string[]>>();

function searchedWords(values: Values, name: string): readonly string[] {
  const fields = known.get(values) ?? new Map<string, readonly string[]>();
  known.set(values, fields);
  const words = fields.get(name) ?? wordsOf(contentsOf(values[name]));
  fields.set(name, words);
  return words;
}

/** Returns the `content` of all items of a JSON field as one text. */
function contentsOf(json: Value | undefined): string {
  const items: readonly { readonly content: string }[] = typeof json === 'string' ? JSON.parse(json) : [];
  return items.map(({ content }) => content).join(' ');
}
