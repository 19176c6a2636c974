// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { exportRows } from '../../../src/app/pages/usage/export-rows.ts';
import { groupOf, type Statistics } from '../../../src/app/pages/usage/statistics.ts';
import { nameOf } from '../../../src/app/pages/usage/statistics-table.tsx';
import { sampleFigures } from '../../support/records.ts';

describe('the grouping of a URL', () => {
  it.each([
    ['agent', 'agent'],
    ['end_reason', 'end_reason'],
    ['direction', 'day'],
    ['toString', 'day'],
    [undefined, 'day'],
  ])('with the group %s is by %s', (text, group) => {
    expect(groupOf(text)).toBe(group);
  });
});

describe('the name of a group', () => {
  const names = new Map([['agent-1', 'Reception']]);
  it.each([
    ['agent', 'agent-1', 'Reception'],
    ['agent', 'deleted', 'deleted'],
    ['agent', null, 'None'],
    ['day', '2026-03-01', '2026-03-01'],
    ['end_reason', 'no_answer', 'No answer'],
    ['end_reason', 'of_a_later_version', 'of_a_later_version'],
  ] as const)('by %s with the key %s is "%s"', (group, key, name) => {
    expect(nameOf(group, key, names)).toBe(name);
  });
});

describe('the exported rows', () => {
  it('have a key beside the name, and nothing for a missing latency', () => {
    const statistics = {
      group_by: 'agent',
      stats: [
        { key: 'agent-1', ...sampleFigures() },
        { key: null, ...sampleFigures({ latency_ms: null, calls: 1_234_567 }) },
      ],
      total: sampleFigures(),
    } as Statistics;
    const [head, first, second] = exportRows({
      group: 'agent',
      statistics,
      names: new Map([['agent-1', 'Reception']]),
    });
    expect(head?.slice(0, 3)).toEqual(['Agent', 'key', 'Calls']);
    expect(first).toEqual(['Reception', 'agent-1', 12, 10, 34.5, 2.25, 640, 1_300, 4, 6, 1]);
    expect(second).toEqual(['None', null, 1_234_567, 10, 34.5, 2.25, null, null, 4, 6, 1]);
    expect(first?.length).toBe(head?.length);
  });
});
