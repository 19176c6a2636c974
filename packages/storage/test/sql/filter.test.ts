import { describe, expect, it } from 'vitest';
import { filterSql, isSearchFor, isSimple, type ParsedFilter, parseFilter, splitSearch } from '../../src/sql/filter.ts';
import { compiledPart, tableOf } from '../support/compiled.ts';

const calls = tableOf('calls');
const parse = (filter: object): ParsedFilter => parseFilter(calls, filter);
const sqlOf = (filter: object): { text: string; values: unknown[] } => {
  const parsed = parse(filter);
  return compiledPart(
    filterSql<{ filter: ParsedFilter }>(parsed, (input) => input.filter),
    { filter: parsed },
  );
};

describe('filterSql', () => {
  it.each([
    ['an empty filter', {}, '1 = 1', []],
    ['a value', { where: { status: 'ended' } }, '"status" = $1', ['ended']],
    ['null', { where: { agent_id: null } }, '"agent_id" is null', []],
    ['a list', { where: { status: { in: ['ended', 'failed'] } } }, '"status" = any($1)', [['ended', 'failed']]],
    ['a list of one', { where: { status: { in: ['ended'] } } }, '"status" = $1', ['ended']],
    ['an empty list', { where: { status: { in: [] } } }, 'false', []],
    [
      'a list with null',
      { where: { agent_id: { in: [null, 'a'] } } },
      '("agent_id" = any($1) or "agent_id" is null)',
      [['a']],
    ],
    ['a lower bound', { where: { duration_seconds: { gte: 5 } } }, '"duration_seconds" >= $1', [5]],
    ['an upper bound', { where: { duration_seconds: { lt: 9 } } }, '"duration_seconds" < $1', [9]],
    [
      'two bounds',
      { where: { duration_seconds: { gte: 5, lt: 9 } } },
      '("duration_seconds" >= $1 and "duration_seconds" < $2)',
      [5, 9],
    ],
    ['no bounds', { where: { duration_seconds: {} } }, '"duration_seconds" is not null', []],
    ['a bound of a text', { where: { end_reason: { gte: 'b' } } }, '"end_reason" collate "C" >= $1', ['b']],
    [
      'words',
      { where: { messages: { words: ['blue', 'door'] } } },
      `"messages_words" @@ to_tsquery('simple', $1)`,
      ['blue & door:*'],
    ],
    [
      'several conditions',
      { where: { status: 'ended', agent_id: null } },
      '("status" = $1 and "agent_id" is null)',
      ['ended'],
    ],
    [
      'alternatives',
      { where: { status: 'ended' }, anyOf: [{ agent_id: 'a' }, { campaign_id: 'c', direction: 'inbound' }] },
      '("status" = $1 and ("agent_id" = $2 or ("campaign_id" = $3 and "direction" = $4)))',
      ['ended', 'a', 'c', 'inbound'],
    ],
    ['one alternative', { anyOf: [{ agent_id: 'a' }] }, '"agent_id" = $1', ['a']],
    ['no alternatives', { where: { agent_id: 'a' }, anyOf: [] }, '"agent_id" = $1', ['a']],
  ])('compiles %s', (_name, filter, text, values) => {
    expect(sqlOf(filter)).toEqual({ text, values });
  });

  it('replaces what PostgreSQL cannot store in a value', () => {
    expect(sqlOf({ where: { end_reason: 'a\u0000b' } }).values).toEqual(['a\ufffdb']);
  });
});

describe('parseFilter', () => {
  it.each([
    ['an unknown field', { nothing: 1 }, 'The records of calls have no field nothing.'],
    ['undefined', { status: undefined }, 'status of calls is undefined'],
    ['a field that holds JSON', { latency: {} }, 'the field holds JSON'],
    ['a value of a searched field', { messages: 'blue' }, 'expected { words } for searched texts (here: messages)'],
    ['words of a field that is not searched', { status: { words: ['a'] } }, 'expected { words } for searched texts'],
  ])('refuses a condition on %s', (_name, where, message) => {
    expect(() => parse({ where })).toThrow(TypeError);
    expect(() => parse({ where })).toThrow(message);
    expect(() => parse({ anyOf: [{ status: 'ended' }, where] })).toThrow(message);
  });

  it('gives filters one shape if they have the same SQL', () => {
    const shapes = [
      { where: { status: 'ended' } },
      { where: { status: 'failed' } },
      { where: { status: { in: ['ended'] } } },
      { anyOf: [{ status: 'ended' }] },
    ].map((filter) => parse(filter).shape);
    expect(new Set(shapes).size).toBe(1);
  });

  it('gives filters different shapes if their SQL differs', () => {
    const filters = [
      {},
      { where: { status: 'a' } },
      { where: { status: null } },
      { where: { status: { in: ['a', 'b'] } } },
      { where: { status: { in: ['a', null] } } },
      { where: { status: { in: [] } } },
      { where: { status: { gte: 'a' } } },
      { where: { status: { lt: 'a' } } },
      { where: { status: { gte: 'a', lt: 'b' } } },
      { where: { status: {} } },
      { where: { status: 'a', direction: 'b' } },
      { anyOf: [{ status: 'a' }, { direction: 'b' }] },
      { where: { status: 'a' }, anyOf: [{ direction: 'b' }, { agent_id: null }] },
    ];
    expect(new Set(filters.map((filter) => parse(filter).shape)).size).toBe(filters.length);
  });
});

describe('isSimple', () => {
  it.each([
    [{}, true],
    [{ where: { status: 'ended' } }, true],
    [{ where: { created_at: { gte: '2026-01-01T00:00:00.000Z' } } }, true],
    [{ where: { status: { in: ['a', 'b'] } } }, false],
    [{ where: { status: 'ended', direction: 'inbound' } }, false],
    [{ where: { messages: { words: ['a'] } } }, false],
    [{ anyOf: [{ status: 'a' }, { status: 'b' }] }, false],
  ])('of %j is %j', (filter, expected) => {
    expect(isSimple(parse(filter))).toBe(expected);
  });
});

describe('splitSearch', () => {
  it.each([
    [['blue'], ['blue:*', 'blue:*']],
    [['b'], ['b:*', 'b:*']],
    [
      ['blue', 'doo'],
      ['blue & doo:*', 'blue & doo:*'],
    ],
    [
      ['blue', 'old', 'do'],
      ['blue & old & do:*', 'blue & old'],
    ],
  ])('asks the index of words for those of %j that are not a short beginning', (words, values) => {
    const filter = parse({ where: { status: 'ended', messages: { words } } });
    expect(isSearchFor(filter)).toBe(true);
    const { search, others } = splitSearch(filter);
    expect(search.values).toEqual(values);
    expect(others.where.map(({ column }) => column.name)).toEqual(['status']);
  });

  it('refuses a filter without words', () => {
    expect(isSearchFor(parse({ where: { status: 'ended' } }))).toBe(false);
    expect(() => splitSearch(parse({}))).toThrow('isSearchFor()');
  });
});
