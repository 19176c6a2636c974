import type { RawBuilder } from 'kysely';
import type { Connection, Result } from './connection.ts';
import type { Statements } from './statements.ts';
import { toViolation } from './violations.ts';

/**
 * Runs the statement of a shape, built when it is not known yet, on the storage or in one of its transactions. Throws
 * `UniqueViolation`, `ReferenceViolation`, or what the database says.
 */
export type Run = <I>(shape: string, build: () => RawBuilder<unknown>, input: I) => Promise<Result>;

export async function runOn<I>(
  connection: Connection,
  statements: Statements,
  ...[shape, build, input]: [shape: string, build: () => RawBuilder<unknown>, input: I]
): Promise<Result> {
  const statement = statements.get<I>(shape, build);
  const values = statement.values(input);
  try {
    return await connection.query(statement.text, values, statements.nameOf(statement));
  } catch (error) {
    throw toViolation(error);
  }
}
