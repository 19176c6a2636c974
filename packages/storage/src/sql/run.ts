import type { RawBuilder } from 'kysely';
import type { Connection, Result } from './connection.ts';
import type { Statements } from './statements.ts';
import { toViolation } from './violations.ts';

export interface Step<I> {
  /** Tells everything that the text depends on, and the type of the input. */
  readonly shape: string;
  /** Makes the SQL, the first time. */
  readonly build: () => RawBuilder<unknown>;
  readonly input: I;
  /** False where the best plan depends on the values. True by default. */
  readonly isPlannedOnce?: boolean;
}

/**
 * Runs a statement on the storage, or in one of its transactions. Throws `UniqueViolation`, `ReferenceViolation`, or what
 * the database says.
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
