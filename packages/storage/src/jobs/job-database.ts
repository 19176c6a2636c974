import type { Db } from 'pg-boss';
import type { Driver, SqlConnection } from '../sql/connection.ts';
import type { PreparedNames } from '../sql/prepared-names.ts';

/**
 * Adapts a pool or an open transaction to pg-boss. Statements with parameters are prepared under a name; statements
 * without any may be scripts of several statements that bring their own transaction.
 */
export function jobDatabase(connection: SqlConnection | Driver, names: PreparedNames): Db {
  return {
    async executeSql(text, values = []) {
      if (values.length === 0 && 'script' in connection) return { rows: [...(await connection.script(text))] };
      const { rows } = await connection.query(text, values, names.of(text));
      return { rows: [...rows] };
    },
  };
}
