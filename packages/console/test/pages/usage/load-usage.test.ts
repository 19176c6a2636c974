// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { loadUsage } from '../../../src/app/pages/usage/load-usage.ts';
import type { UsageGroup } from '../../../src/app/pages/usage/statistics.ts';
import { type ScriptedClient, sessionWith } from '../../support/session.ts';

async function load(group: UsageGroup, scopes: readonly string[]) {
  const queries: object[] = [];
  const client = {
    statistics: {
      get: async (query: object) => {
        queries.push(query);
        return query;
      },
    },
    usage: { list: async () => ({ summary: 'summary' }) },
    agents: { list: async () => [{ id: 'a', name: 'Agent' }] },
    campaigns: { list: async () => [{ id: 'c', name: 'Campaign' }] },
  };
  const period = { from: '2026-01-01', to: '2026-01-31' };
  const session = sessionWith(client as unknown as ScriptedClient, { scopes });
  const report = await loadUsage(session, period, group, new AbortController().signal);
  return { queries, report, names: [...report.names] };
}

describe('the usage of a period', () => {
  const range = { start_date: '2026-01-01', end_date: '2026-01-31' };

  it('is loaded once if it is grouped by day', async () => {
    const { queries, report } = await load('day', ['*']);
    expect(queries).toEqual([{ ...range, group_by: 'day' }]);
    expect([report.byGroup === report.byDay, report.summary]).toEqual([true, 'summary']);
  });

  it('is loaded by day and by another group', async () => {
    const { queries, report } = await load('end_reason', ['*']);
    expect(queries.map((query) => ({ ...query }))).toEqual([
      { ...range, group_by: 'day' },
      { ...range, group_by: 'end_reason' },
    ]);
    expect(report.byGroup).toEqual({ ...range, group_by: 'end_reason' });
  });

  it.each<[UsageGroup, readonly string[], readonly string[][]]>([
    ['agent', ['agents:read'], [['a', 'Agent']]],
    ['agent', ['campaigns:read'], []],
    ['campaign', ['campaigns:read'], [['c', 'Campaign']]],
    ['campaign', ['agents:read'], []],
    ['end_reason', ['*'], []],
  ])('by %s has with the scopes %j the names %j', async (group, scopes, expected) => {
    expect((await load(group, scopes)).names).toEqual(expected);
  });
});
