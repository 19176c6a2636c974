import type { Connection, Result } from './connection.ts';
import type { Compilable } from './database.ts';
import type { Statements } from './statements.ts';
import { toViolation } from './violations.ts';

export interface Step<I> {
  /** Everything that the text and the type of the input depend on. */
  readonly shape: string;
  /** Builds the statement on its first use. */
  readonly build: () => Compilable;
  readonly input: I;
  /** False when the best plan depends on the values. Default true. */
  readonly isPlannedOnce?: boolean;
}

/**
 * Runs a statement on the storage or in one of its transactions. Throws `UniqueViolation`, `ReferenceViolation`, or the
 * database's error.
 */
export type Run = <I>(step: Step<I>) => Promise<Result>;

export async function runOn<I>(
  connection: Connection,
  statements: Statements,
  { shape, build, input, isPlannedOnce = true }: Step<I>,
): Promise<Result> {
  const statement = statements.get<I>(shape, build, isPlannedOnce);
  const values = statement.values(input);
  try {
    return await connection.query(statement.text, values, statements.nameOf(statement));
  } catch (error) {
    throw toViolation(error);
  }
}
