import type { Connection, Driver } from '../sql/connection.ts';

/** What pg-boss runs its SQL with. */
export interface Executor {
  executeSql(text: string, values?: readonly unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

export function executor(connection: Connection | Driver): Executor {
  return {
    async executeSql(text, values = []) {
      if (isScript(text) && 'script' in connection) {
        await connection.script(text);
        return { rows: [] };
      }
      const { rows } = await connection.query(text, values);
      return { rows: [...rows] };
    },
  };
}

/** Some of its SQL is several statements that bring their own transaction. */
function isScript(text: string): boolean {
  return /^\s*BEGIN;/.test(text);
}
