import { describe, expect, it } from 'vitest';
import type { MemoryRow, Value } from '../../src/memory/row.ts';
import { sumGroups } from '../../src/memory/sum-groups.ts';
import { sumItems } from '../../src/memory/sum-items.ts';

function rowOf(values: Readonly<Record<string, Value>>): MemoryRow {
  return { orgId: 'acme', values: { ...values, id: 'id', created_at: '2026-01-01T00:00:00.000Z' } };
}

describe('sumGroups', () => {
  const rows = [
    rowOf({ day: 'a', agent_id: null, turns: 1, cost: 0.5 }),
    rowOf({ day: 'b', agent_id: 'x', turns: 2, cost: null }),
    rowOf({ day: 'b', agent_id: null, turns: 4, cost: 2 }),
  ];

  it.each([
    [
      'the groups with the most rows first',
      { by: ['day'], sums: ['turns'], limit: 9 },
      [
        { day: 'b', count: 2, turns: 6 },
        { day: 'a', count: 1, turns: 1 },
      ],
    ],
    ['no more groups than the limit', { by: ['day'], sums: [], limit: 1 }, [{ day: 'b', count: 2 }]],
    [
      'null as a value of its own',
      { by: ['agent_id'], sums: ['turns'], limit: 9 },
      [
        { agent_id: null, count: 2, turns: 5 },
        { agent_id: 'x', count: 1, turns: 2 },
      ],
    ],
    [
      '0 for a value that is null',
      { by: ['agent_id'], sums: ['cost'], limit: 9 },
      [
        { agent_id: null, count: 2, cost: 2.5 },
        { agent_id: 'x', count: 1, cost: 0 },
      ],
    ],
  ])('returns %s', (_name, query, groups) => {
    expect(sumGroups(rows, query)).toEqual(groups);
  });

  it('keeps values apart that read alike when they are joined', () => {
    const alike = [rowOf({ day: 'a', agent_id: 'b,c' }), rowOf({ day: 'a,b', agent_id: 'c' })];
    expect(sumGroups(alike, { by: ['day', 'agent_id'], sums: [], limit: 9 })).toHaveLength(2);
  });

  it('returns no group without rows', () => {
    expect(sumGroups([], { by: ['day'], sums: ['turns'], limit: 9 })).toEqual([]);
  });
});

describe('sumItems', () => {
  const items = (...list: readonly object[]): MemoryRow => rowOf({ costs: JSON.stringify(list) });
  const query = { field: 'costs', by: ['provider'], sums: ['cost', 'quantity'], limit: 9 };

  it('adds items of all rows, and returns the highest first sum first', () => {
    const rows = [
      items({ provider: 'a', cost: 1, quantity: 10 }, { provider: 'b', cost: 2, quantity: 1 }),
      items({ provider: 'a', cost: 3, quantity: 1 }),
    ];
    expect(sumItems(rows, query)).toEqual([
      { provider: 'a', cost: 4, quantity: 11 },
      { provider: 'b', cost: 2, quantity: 1 },
    ]);
  });

  it('returns null for a sum without numbers, behind all others', () => {
    const rows = [items({ provider: 'a', cost: null, quantity: 1 }, { provider: 'b', cost: -5 })];
    expect(sumItems(rows, query)).toEqual([
      { provider: 'b', cost: -5, quantity: null },
      { provider: 'a', cost: null, quantity: 1 },
    ]);
  });

  it('ignores a number that is missing in some items', () => {
    const rows = [items({ provider: 'a', cost: 1 }, { provider: 'a' }, { provider: 'a', cost: 2 })];
    expect(sumItems(rows, query)).toMatchObject([{ cost: 3 }]);
  });

  it('groups items without the key under null', () => {
    expect(sumItems([items({ cost: 1 }, { provider: null, cost: 2 })], query)).toMatchObject([
      { provider: null, cost: 3 },
    ]);
  });

  it('returns nothing for rows whose field is null, and no more groups than the limit', () => {
    expect(sumItems([rowOf({ costs: null })], query)).toEqual([]);
    const rows = [items({ provider: 'a', cost: 1 }, { provider: 'b', cost: 2 })];
    expect(sumItems(rows, { ...query, limit: 1 })).toMatchObject([{ provider: 'b' }]);
  });
});
