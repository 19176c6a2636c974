import { describe, expect, it } from 'vitest';
import { type PgConnection, PreparedQuery } from '../../src/postgres/prepared-query.ts';
import type { Result } from '../../src/sql/connection.ts';

const statement = { name: 'va_n', text: 'select $1::int as n', values: [5] };
const description = { fields: [{ name: 'n', dataTypeID: 23 }] };

interface Exchanged {
  /** Messages that the query sends. */
  readonly sent: string[];
  readonly outcome: { error: Error | null; result: Result | undefined } | null;
}

function connection(): PgConnection & { readonly sent: string[]; depth: number } {
  const sent: string[] = [];
  const record = (name: string) => (): void => {
    sent.push(name);
  };
  const on = {
    sent,
    depth: 0,
    stream: {
      cork: (): void => {
        on.depth += 1;
      },
      uncork: (): void => {
        on.depth -= 1;
      },
    },
    close: record('close'),
    parse: record('parse'),
    bind: record('bind'),
    describe: record('describe'),
    execute: record('execute'),
    sync: record('sync'),
  };
  return on;
}

/** Sends the statement, and answers it as the server does: with rows, or with an error. */
function exchange(on: ReturnType<typeof connection>, answer: readonly (string | null)[] | Error): Exchanged {
  on.sent.length = 0;
  const outcome: { value: Exchanged['outcome'] } = { value: null };
  const query = new PreparedQuery(statement, (error, result) => {
    outcome.value = { error, result };
  });
  query.submit(on);
  const sent = [...on.sent];
  if (answer instanceof Error) query.handleError(answer);
  else {
    if (sent.includes('describe')) query.handleRowDescription(description);
    for (const value of answer) query.handleDataRow({ fields: [value] });
    query.handleCommandComplete({ text: `SELECT ${answer.length}` }, on);
    query.handleReadyForQuery();
  }
  return { sent, outcome: outcome.value };
}

describe('PreparedQuery', () => {
  it('prepares and describes a statement on its first use of a connection only', () => {
    const on = connection();
    expect(exchange(on, ['5']).sent).toEqual(['parse', 'bind', 'describe', 'execute', 'sync']);
    expect(exchange(on, ['5']).sent).toEqual(['bind', 'execute', 'sync']);
    expect(exchange(connection(), ['5']).sent).toContain('parse');
    expect(on.depth).toBe(0);
  });

  it('returns rows with values of the described types, on every use', () => {
    const on = connection();
    for (const values of [['5'], ['6', null], []]) {
      expect(exchange(on, values).outcome).toEqual({
        error: null,
        result: {
          rows: values.map((value) => ({ n: value === null ? null : Number(value) })),
          rowCount: values.length,
        },
      });
    }
  });

  it('prepares a statement again whose first use failed, because the server may have kept it', () => {
    const on = connection();
    const error = new Error('division by zero');
    expect(exchange(on, error).outcome).toEqual({ error, result: undefined });
    expect(exchange(on, ['5']).sent).toEqual(['close', 'parse', 'bind', 'describe', 'execute', 'sync']);
    expect(exchange(on, error).outcome).toEqual({ error, result: undefined });
    expect(exchange(on, ['5']).sent).toEqual(['bind', 'execute', 'sync']);
  });

  it('reports a value that cannot be read after the last row', () => {
    const on = connection();
    const query = new PreparedQuery(statement, (error) => {
      expect(error).toMatchObject({ code: 'unreadable_timestamp' });
      on.sent.push('reported');
    });
    query.submit(on);
    query.handleRowDescription({ fields: [{ name: 'at', dataTypeID: 1184 }] });
    for (let n = 0; n < 2; n += 1) query.handleDataRow({ fields: ['no timestamp'] });
    query.handleCommandComplete({ text: 'SELECT 2' }, on);
    expect(on.sent).not.toContain('reported');
    query.handleReadyForQuery();
    expect(on.sent.at(-1)).toBe('reported');
  });

  it('sends the rest of its messages together, also if one of them throws', () => {
    const on = connection();
    on.bind = () => {
      throw new Error('no socket');
    };
    expect(() => new PreparedQuery(statement, () => {}).submit(on)).toThrow('no socket');
    expect(on.depth).toBe(0);
  });
});
