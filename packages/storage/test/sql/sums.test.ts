import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../src/sql/filter.ts';
import { groupSumsQuery } from '../../src/sql/group-sums.ts';
import { itemSumsQuery } from '../../src/sql/item-sums.ts';
import { ofOrganization } from '../../src/sql/of-organization.ts';
import { isWithin, splitTime } from '../../src/sql/time-conditions.ts';
import { compiled, compiledPart, tableOf } from '../support/compiled.ts';

const calls = tableOf('calls');
const inOrganization = ofOrganization({ owner: 'org_id' });
const input = { orgId: 'acme', limit: 5 };

describe('groupSumsQuery', () => {
  it('adds fields in groups, those with the most records first', () => {
    const query = groupSumsQuery(calls, { by: ['direction'], sums: ['duration_seconds'] }, inOrganization);
    expect(compiled(query, input)).toEqual({
      text:
        'select "direction", count(*) as "count", coalesce(sum("duration_seconds"), 0) as "duration_seconds" ' +
        'from "va"."calls" where "org_id" = $1 group by "direction" order by "count" desc limit $2',
      values: ['acme', 5],
    });
  });

  it.each([
    [{ by: ['nothing'], sums: [] }],
    [{ by: [], sums: ['nothing'] }],
    [{ by: ['direction"; drop table calls; --'], sums: [] }],
  ])('refuses fields that the records do not have: %j', (fields) => {
    expect(() => groupSumsQuery(calls, fields, inOrganization)).toThrow(TypeError);
  });
});

describe('itemSumsQuery', () => {
  const query = (by: readonly string[], sums: readonly string[]) =>
    compiled(itemSumsQuery(calls, { field: 'cost_breakdown', by, sums }, inOrganization), input);

  it('adds the items of a JSON field in groups, the highest first sum first', () => {
    const { text, values } = query(['provider'], ['price', 'quantity']);
    expect(text).toContain('json_array_elements("va"."calls"."cost_breakdown") as item(value)');
    expect(text).toContain("nullif((item.value -> 'provider')::jsonb, 'null') as \"provider\"");
    expect(text).toMatch(
      /order by sum\(\(item\.value ->> 'price'\)::numeric\)::double precision desc nulls last, nullif/,
    );
    expect(values).toEqual(['acme', 5]);
  });

  it('orders groups without sums by their keys', () => {
    expect(query(['provider', 'kind'], []).text).toMatch(
      /order by nullif\(\(item\.value -> 'provider'\)::jsonb, 'null'\), nullif\(\(item\.value -> 'kind'\)/,
    );
  });

  it('quotes keys', () => {
    expect(query(["it's"], []).text).toContain("item.value -> 'it''s'");
  });

  it('refuses a field that the records do not have', () => {
    expect(() => itemSumsQuery(calls, { field: 'nothing', by: [], sums: [] }, inOrganization)).toThrow(TypeError);
  });
});

describe('splitTime', () => {
  const split = (where: object) => splitTime(parseFilter(calls, { where }));
  const from = '2026-01-01T12:00:00.000Z';
  const before = '2026-01-03T06:00:00.000Z';

  it.each([
    ['a lower bound', { gte: from }, 'gte'],
    ['an upper bound', { lt: before }, 'lt'],
    ['two bounds', { gte: from, lt: before }, 'gte and lt'],
  ])('separates %s from the other conditions', (_name, created_at, test) => {
    const parts = split({ agent_id: 'a', created_at });
    expect(parts?.range?.test).toBe(test);
    expect(parts?.others.map(({ column }) => column.name)).toEqual(['agent_id']);
  });

  it('has no range without a condition on the time', () => {
    expect(split({ agent_id: 'a' })).toMatchObject({ range: null, others: [{}] });
  });

  it.each([
    ['one time', from],
    ['a list of times', { in: [from, before] }],
    ['any time', {}],
  ])('is null for a condition on %s', (_name, created_at) => {
    expect(split({ created_at })).toBeNull();
  });

  it.each([
    [{ gte: from, lt: before }, [from, '2026-01-02T00:00:00.000Z']],
    [{ lt: before }, ['-infinity', '-infinity']],
    [{ gte: from }, [from, '2026-01-02T00:00:00.000Z']],
  ])('gives the bounds of the first partial day of %j to the statement', (created_at, values) => {
    const filter = parseFilter(calls, { where: { created_at } });
    expect(compiledPart(isWithin('created_at', 'from', 'morning'), { filter })).toEqual({
      text: '("created_at" >= $1 and "created_at" < $2)',
      values,
    });
  });
});
