import type { RunStatement } from '../../src/sql/run.ts';
import { compiled } from './compiled.ts';

/** A statement that ran, with its text on one line. */
export interface RanStatement {
  readonly shape: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly isPlannedOnce: boolean;
}

/** Records statements in place of a database, and answers all of them with the given rows. */
export function recordedStatements(
  rows: readonly Readonly<Record<string, unknown>>[] = [],
  rowCount = rows.length,
): { readonly ran: RanStatement[]; readonly run: RunStatement } {
  const ran: RanStatement[] = [];
  const run: RunStatement = async ({ shape, build, input, isPlannedOnce = true }) => {
    ran.push({ shape, isPlannedOnce, ...compiled(build(), input) });
    return { rows, rowCount };
  };
  return { ran, run };
}
