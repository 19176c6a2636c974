import { describe, expect, it } from 'vitest';
import { countQuery, countUpToQuery } from '../../src/sql/count.ts';
import { daySumsQuery } from '../../src/sql/day-sums.ts';
import { parseFilter } from '../../src/sql/filter.ts';
import { listQuery } from '../../src/sql/list.ts';
import { ofOrganization } from '../../src/sql/of-organization.ts';
import { compiled, compiledPart, tableOf } from '../support/compiled.ts';

const calls = tableOf('calls');
const statistics = tableOf('callStatistics');
const after = { created_at: '2026-01-02T00:00:00.000Z', id: 'last' };

describe('ofOrganization', () => {
  it.each([
    ['agents', '"org_id" = $1'],
    ['organizations', '"id" = $1'],
  ] as const)('names the column of %s that holds the organization', (name, text) => {
    expect(compiledPart(ofOrganization(tableOf(name)), { orgId: 'acme' })).toEqual({ text, values: ['acme'] });
  });
});

describe('listQuery', () => {
  const page = (filter: object, order: 'newest' | 'oldest', { offset = 0, hasAfter = false } = {}) => {
    const parsed = parseFilter(calls, filter);
    const query = listQuery(calls, parsed, { order, hasOffset: offset > 0, hasAfter }, ['id']);
    return compiled(query, { orgId: 'acme', filter: parsed, limit: 10, offset, after: hasAfter ? after : undefined });
  };

  it('walks the records of an organization in the order of the list', () => {
    expect(page({}, 'newest')).toEqual({
      text: 'select "id" from "va"."calls" where "org_id" = $1 order by "created_at" desc, "id" desc limit $2',
      values: ['acme', 10],
    });
    expect(page({ where: { status: 'ended' } }, 'oldest')).toEqual({
      text:
        'select "id" from "va"."calls" where ("org_id" = $1 and "status" = $2) ' +
        'order by "created_at" asc, "id" asc limit $3',
      values: ['acme', 'ended', 10],
    });
  });

  it.each([
    ['newest', '<'],
    ['oldest', '>'],
  ] as const)('continues the %s behind a cursor', (order, sign) => {
    const { text, values } = page({}, order, { hasAfter: true });
    expect(text).toContain(`("created_at", "id") ${sign} ($2, $3)`);
    expect(values).toEqual(['acme', after.created_at, after.id, 10]);
  });

  it('skips records in a subquery of ids', () => {
    const { text, values } = page({}, 'newest', { offset: 30 });
    expect(text).toMatch(/where "id" in \(select "id" from .* limit \$2 offset \$3\) order by/);
    expect(values).toEqual(['acme', 10, 30]);
  });

  it('reads as many records of each alternative as the page can need', () => {
    const { text, values } = page({ anyOf: [{ status: 'ended' }, { agent_id: 'a' }] }, 'newest', { offset: 30 });
    expect(text).toMatch(/in \(select "id" from \(\(select .* limit \$3\) union \(select .* limit \$6\)\) as "places"/);
    expect(values).toEqual(['acme', 'ended', 40, 'acme', 'a', 40, 10, 30]);
  });
});

describe('counts', () => {
  const count = (filter: object) => {
    const parsed = parseFilter(calls, filter);
    return compiled(countQuery(calls, parsed), { orgId: 'acme', filter: parsed });
  };

  it.each([
    ['all calls', {}],
    ['the calls of an agent', { where: { agent_id: 'a' } }],
    ['a time range', { where: { direction: 'inbound', created_at: { lt: after.created_at } } }],
  ])('of %s add kept counts', (_name, filter) => {
    expect(count(filter).text).toContain('"call_counts"');
  });

  it.each([
    ['a field that is not counted', { where: { room_name: 'r' } }],
    ['a list of times', { where: { created_at: { in: ['a', 'b'] } } }],
    ['alternatives', { anyOf: [{ agent_id: 'a' }, { agent_id: 'b' }] }],
  ])('of %s read the calls', (_name, filter) => {
    expect(count(filter).text).not.toContain('"call_counts"');
  });

  it('subtract the records of both of two alternatives', () => {
    const { text, values } = count({ anyOf: [{ room_name: 'a' }, { direction: 'inbound' }] });
    expect(text).toMatch(/^select \(?\(select count\(\*\).*\) \+ \(select count\(\*\).*\)\)? - \(select count\(\*\)/);
    expect(values).toEqual(['acme', 'a', 'acme', 'inbound', 'acme', 'a', 'inbound']);
  });

  it('add both alternatives of three in one scan', () => {
    const { text } = count({ anyOf: [{ room_name: 'a' }, { room_name: 'b' }, { direction: 'inbound' }] });
    expect(text.match(/count/g)).toHaveLength(2);
  });

  it('stop at a given number', () => {
    const filter = parseFilter(calls, { where: { room_name: 'r' } });
    const { text, values } = compiled(countUpToQuery(calls, filter), { orgId: 'acme', filter, atMost: 100 });
    expect(text).toMatch(/from \(select "id" .* limit \$3\) as "found"$/);
    expect(values).toEqual(['acme', 'r', 100]);
  });
});

describe('daySumsQuery', () => {
  const sums = ['turns', 'cost'] as const;

  it('adds the sums of days, and single rows of the partial days of a time range', () => {
    const created_at = { gte: '2026-01-01T12:00:00.000Z', lt: '2026-01-03T06:00:00.000Z' };
    const filter = parseFilter(statistics, { where: { created_at, agent_id: 'a' } });
    const query = daySumsQuery(statistics, { by: ['day'], sums }, filter);
    if (query === null) throw new Error('The query has only summed dimensions.');
    const { text, values } = compiled(query, { orgId: 'acme', filter, limit: 5 });
    expect(text.match(/ union all /g)).toHaveLength(2);
    expect(text).toMatch(/group by "day" having sum\("calls"\) <> 0 order by "count" desc limit \$\d+$/);
    expect(values).toEqual([
      ...['acme', 'a', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'],
      ...['acme', 'a', created_at.gte, '2026-01-02T00:00:00.000Z'],
      ...['acme', 'a', '2026-01-03T00:00:00.000Z', created_at.lt],
      5,
    ]);
  });

  it('reads days alone without a time range', () => {
    const query = daySumsQuery(statistics, { by: ['day'], sums }, parseFilter(statistics, {}));
    const { text } = compiled(query ?? { compile: () => expect.fail('There is no query.') }, { limit: 5 });
    expect(text).toContain('"call_statistics_days"');
    expect(text).not.toContain('"call_statistics" ');
  });

  it.each([
    ['other conditions', { where: { answered: 1 } }, ['day'], ['turns']],
    ['other groups', {}, ['duration_seconds'], ['turns']],
    ['other sums', {}, ['day'], ['unknown']],
    ['alternatives', { anyOf: [{ agent_id: 'a' }, { agent_id: 'b' }] }, ['day'], ['turns']],
  ])('is null for %s than the kept ones', (_name, filter, by, fields) => {
    expect(daySumsQuery(statistics, { by, sums: fields }, parseFilter(statistics, filter))).toBeNull();
  });
});
