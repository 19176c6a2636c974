import type { Statements } from './statements.ts';

const maxAttempts = 5;

/**
 * Runs work that has changed nothing when it fails, again when the database says that it lost against other work and may
 * win the next time (a deadlock, say), or that its plan was made for a schema that has changed since.
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

/** `serialization_failure`, `deadlock_detected`. */
function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error));
}

/** "cached plan must not change result type", or a server that forgot the connection's statements. */
function isStalePlan(error: unknown): boolean {
  const { routine } = error as { routine?: unknown };
  return (codeOf(error) === '0A000' && routine === 'RevalidateCachedQuery') || codeOf(error) === '26000';
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code);
}
