import { type CollectionName, collectionSchemas } from '@va/core/adapter';
import { type Expression, sql } from 'kysely';
import { type Compilable, queryBuilder } from '../../src/sql/database.ts';
import { PreparedNames } from '../../src/sql/prepared-names.ts';
import { Statements } from '../../src/sql/statements.ts';
import { Table } from '../../src/sql/table.ts';

const db = queryBuilder('va');

/** Returns the table of a collection in the schema `va`. */
export function tableOf(name: CollectionName): Table {
  const schema = collectionSchemas.find((each) => each.name === name);
  if (schema === undefined) throw new Error(`There is no collection ${name}.`);
  return new Table(db, 'va', schema);
}

/** Compiles a statement without a database: its text on one line, and its values for an input. */
export function compiled<I>(query: Compilable, input: I): { text: string; values: unknown[] } {
  const statement = new Statements(new PreparedNames('test', 0)).get<I>('shape', () => query, true);
  return { text: statement.text.replaceAll(/\s+/g, ' '), values: statement.values(input) };
}

/** Compiles a condition or another part of a statement. */
export function compiledPart<I>(part: Expression<unknown>, input: I): { text: string; values: unknown[] } {
  return compiled({ compile: () => sql`${part}`.compile(db) }, input);
}
