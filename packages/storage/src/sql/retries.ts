import type { Statements } from './statements.ts';

const maxAttempts = 5;

/**
 * Runs `work` up to five times: again after a serialization failure, a deadlock, or a prepared statement that is
 * outdated or unknown to the server. A failed attempt must have no effect.
 */
export async function retrying<T>(statements: Statements, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isStale = isStalePlan(error);
      if (isStale) statements.renameAll();
      if (attempt >= maxAttempts || !(isStale || isConflict(error))) throw error;
    }
  }
}

/** Returns true for `serialization_failure` and `deadlock_detected`. */
function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error));
}

/** Returns true for "cached plan must not change result type", and for a statement that the server does not have. */
function isStalePlan(error: unknown): boolean {
  const { routine } = error as { routine?: unknown };
  return (codeOf(error) === '0A000' && routine === 'RevalidateCachedQuery') || codeOf(error) === '26000';
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code);
}
