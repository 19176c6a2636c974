import type { Result, SqlConnection } from './connection.ts';
import type { Compilable } from './database.ts';
import type { Statements } from './statements.ts';
import { toViolation } from './violations.ts';

/** A statement to run, with its values. */
export interface StatementRun<I> {
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
export type RunStatement = <I>(step: StatementRun<I>) => Promise<Result>;

/** Runs a statement on a connection. Throws as `RunStatement` does. */
export async function runOn<I>(
  connection: SqlConnection,
  statements: Statements,
  { shape, build, input, isPlannedOnce = true }: StatementRun<I>,
): Promise<Result> {
  const statement = statements.get<I>(shape, build, isPlannedOnce);
  const values = statement.values(input);
  try {
    return await connection.query(statement.text, values, statements.nameOf(statement));
  } catch (error) {
    throw toViolation(error);
  }
}
