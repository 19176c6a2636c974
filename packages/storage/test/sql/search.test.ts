import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../src/sql/filter.ts';
import type { RunStatement } from '../../src/sql/run.ts';
import { countFound, searchRecords } from '../../src/sql/search.ts';
import { compiled, tableOf } from '../support/compiled.ts';

const calls = tableOf('calls');
const filter = parseFilter(calls, { where: { status: 'ended', messages: { words: ['blue'] } } });

interface Database {
  /** Number of records that match the filter without its words. */
  readonly records: number;
  /** One of this number of records has the words. */
  readonly oneOf: number;
}

/** Answers as a database in which the words are spread evenly. Records the name of each statement and its limit. */
function databaseOf({ records, oneOf }: Database): { ran: string[]; run: RunStatement } {
  const ran: string[] = [];
  const run: RunStatement = async ({ shape, build, input }) => {
    const [, name = ''] = /^search: (\w+ ?\w*) calls/.exec(shape) ?? [];
    const { limit = records, page } = Object(input);
    // Every statement has to compile, and to find its values in its input.
    const { values } = compiled(build(), input);
    expect(values).not.toContain(undefined);
    ran.push(name === 'probe' || name.endsWith('newest') ? `${name} ${limit}` : name);
    const compared = Math.min(records, limit);
    const found = Math.floor(compared / oneOf);
    if (name === 'probe') return { rows: [{ compared, found }], rowCount: 1 };
    if (name.startsWith('count')) return { rows: [{ count: Math.min(page.limit, found) }], rowCount: 1 };
    const rows = Array.from({ length: Math.max(0, Math.min(page.limit, found - page.offset)) }, (_, n) => ({ id: n }));
    return { rows, rowCount: rows.length };
  };
  return { ran, run };
}

describe('searchRecords', () => {
  const list = async (database: Database, page = { limit: 50, offset: 0 }) => {
    const { ran, run } = databaseOf(database);
    const order = 'newest' as const;
    const rows = await searchRecords(run, calls, { orgId: 'acme', filter, page, order, after: undefined });
    return { ran, count: rows.length };
  };

  it.each([
    ['few records', { records: 500, oneOf: 100 }, ['probe 2000', 'list newest 2000'], 5],
    [
      'words that fill the page from the newest 2,000',
      { records: 1e6, oneOf: 10 },
      ['probe 2000', 'list newest 2000'],
      50,
    ],
    [
      'words that fill it from the newest 20,000',
      { records: 1e6, oneOf: 200 },
      ['probe 2000', 'list newest 20000'],
      50,
    ],
  ])('compares %s with the words', async (_name, database, ran, count) => {
    expect(await list(database)).toEqual({ ran, count });
  });

  it('asks the index for rare words', async () => {
    expect(await list({ records: 1e6, oneOf: 5_000 })).toEqual({ ran: ['probe 2000', 'list index'], count: 50 });
  });

  it('searches as many records as the end of the page needs', async () => {
    const { ran } = await list({ records: 1e6, oneOf: 10 }, { limit: 50, offset: 300 });
    expect(ran).toEqual(['probe 2000', 'list newest 20000']);
  });

  it('asks the index after words that were expected in the newest 20,000 are missing there', async () => {
    const { ran, run } = databaseOf({ records: 1e6, oneOf: 100 });
    const less: RunStatement = async (step) => {
      const result = await run(step);
      return step.shape.includes('list newest') ? { rows: result.rows.slice(0, 10), rowCount: 10 } : result;
    };
    const page = { limit: 50, offset: 0 };
    await searchRecords(less, calls, { orgId: 'acme', filter, page, order: 'oldest', after: undefined });
    expect(ran).toEqual(['probe 2000', 'list newest 20000', 'list index']);
  });
});

describe('countFound', () => {
  const count = async (database: Database, atMost: number) => {
    const { ran, run } = databaseOf(database);
    return { ran, count: await countFound(run, calls, { orgId: 'acme', filter, atMost }) };
  };

  it.each([
    ['few records exactly', { records: 500, oneOf: 100 }, 1_000, ['probe 2000', 'count newest 2000'], 5],
    ['frequent words up to the limit', { records: 1e6, oneOf: 2 }, 1_000, ['probe 2000', 'count newest 2000'], 1_000],
    ['less frequent words up to it', { records: 1e6, oneOf: 10 }, 1_000, ['probe 2000', 'count newest 20000'], 1_000],
    ['rare words in the index', { records: 1e6, oneOf: 5_000 }, 1_000, ['probe 2000', 'count index'], 200],
  ])('counts %s', async (_name, database, atMost, ran, expected) => {
    expect(await count(database, atMost)).toEqual({ ran, count: expected });
  });
});
