import { describe, expect, it } from 'vitest';
import { jobDatabase } from '../../src/jobs/job-database.ts';
import type { Driver, SqlConnection } from '../../src/sql/connection.ts';
import { PreparedNames } from '../../src/sql/prepared-names.ts';

function recorded(): { calls: unknown[][]; session: SqlConnection; pool: Driver } {
  const calls: unknown[][] = [];
  const rows = [{ n: 1 }];
  const query: SqlConnection['query'] = async (...given) => {
    calls.push(['query', ...given]);
    return { rows, rowCount: 1 };
  };
  const script = async (text: string) => {
    calls.push(['script', text]);
    return rows;
  };
  const pool = { query, script, transaction: () => Promise.reject(new Error('unused')), close: async () => {} };
  return { calls, session: { query }, pool };
}

describe('jobDatabase', () => {
  it('runs a statement without parameters as a script on a pool', async () => {
    const { calls, pool } = recorded();
    expect(await jobDatabase(pool, new PreparedNames('va', 9)).executeSql('begin; commit;')).toEqual({
      rows: [{ n: 1 }],
    });
    expect(calls).toEqual([['script', 'begin; commit;']]);
  });

  it('runs a statement without parameters as a statement in a transaction', async () => {
    const { calls, session } = recorded();
    await jobDatabase(session, new PreparedNames('va', 0)).executeSql('select 1');
    expect(calls).toEqual([['query', 'select 1', [], undefined]]);
  });

  it('prepares a repeated statement with parameters', async () => {
    const { calls, pool } = recorded();
    const database = jobDatabase(pool, new PreparedNames('va_jobs', 9));
    for (const value of [1, 2]) await database.executeSql('select $1', [value]);
    expect(calls).toEqual([
      ['query', 'select $1', [1], undefined],
      ['query', 'select $1', [2], expect.stringMatching(/^va_jobs_0_/)],
    ]);
  });
});
