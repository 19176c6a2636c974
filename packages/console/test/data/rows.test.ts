// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { withFields, withoutRow } from '../../src/app/data/rows.ts';

const rows = [
  { id: 'a', name: 'one' },
  { id: 'b', name: 'two' },
];

describe('a change of rows', () => {
  it('removes a row and keeps the list from before', () => {
    expect(withoutRow('a')(rows)).toEqual([{ id: 'b', name: 'two' }]);
    expect(rows).toHaveLength(2);
  });

  it('sets fields of one row and keeps the others as they are', () => {
    const changed = withFields<(typeof rows)[number]>('b', { name: 'three' })(rows);
    expect(changed[1]).toEqual({ id: 'b', name: 'three' });
    expect([changed[0] === rows[0], rows[1]?.name]).toEqual([true, 'two']);
  });

  it('changes nothing for an unknown id', () => {
    expect(withoutRow('c')(rows)).toEqual(rows);
    expect(withFields<(typeof rows)[number]>('c', { name: 'three' })(rows)).toEqual(rows);
  });
});
