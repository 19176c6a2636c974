import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

interface Report {
  readonly byDay: unknown;
  readonly byGroup: unknown;
  readonly summary: unknown;
  readonly names: ReadonlyMap<string, string>;
}
/** Loaded untyped: types of Preact would add those of the DOM. */
let loadUsage: (session: object, period: object, group: string, signal: AbortSignal) => Promise<Report>;
beforeEach(async () => {
  vi.stubGlobal('document', { baseURI: 'https://example.com/voice/console/' });
  const source = '../../src/app/pages/usage/load-usage.ts';
  ({ loadUsage } = await import(source));
});
afterEach(() => void vi.unstubAllGlobals());

async function load(group: string, scopes: readonly string[]) {
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
  const report = await loadUsage({ client, scopes }, period, group, new AbortController().signal);
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

  it.each([
    ['agent', ['agents:read'], [['a', 'Agent']]],
    ['agent', ['campaigns:read'], []],
    ['campaign', ['campaigns:read'], [['c', 'Campaign']]],
    ['campaign', ['agents:read'], []],
    ['end_reason', ['*'], []],
  ])('by %s has with the scopes %j the names %j', async (group, scopes, expected) => {
    expect((await load(group, scopes)).names).toEqual(expected);
  });
});
