// @vitest-environment happy-dom
import { screen, within } from '@testing-library/dom';
import { describe, expect, it } from 'vitest';
import { DataTable } from '../../../src/app/ui/list/data-table.tsx';
import { show } from '../../support/show.tsx';
import { cellsOf } from '../../support/user.ts';

interface Row {
  readonly id: string;
  readonly calls: number;
}
const rows: readonly Row[] = [
  { id: 'a', calls: 1 },
  { id: 'b', calls: 2 },
];
const table = (shown: readonly Row[]) => (
  <DataTable<Row>
    label="Numbers"
    rows={shown}
    keyOf={({ id }) => id}
    columns={[
      { title: 'Name', cell: ({ id }) => id },
      { title: 'Calls', isNumber: true, cell: ({ calls }) => calls },
      { title: 'Actions', cell: ({ id }) => id === 'a' && <button type="button">Delete</button> },
    ]}
  />
);

describe('a table of records', () => {
  it('has a header for each column, and the name of the record as header of its row', () => {
    show(table(rows));
    expect(screen.getAllByRole('columnheader').map((header) => header.getAttribute('scope'))).toEqual([
      'col',
      'col',
      'col',
    ]);
    expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['a', 'b']);
  });

  it('aligns numbers, with their header', () => {
    show(table(rows));
    const numbers = [...document.querySelectorAll('.number')].map(({ textContent }) => textContent);
    expect(numbers).toEqual(['Calls', '1', '2']);
  });

  it('leaves a cell empty that has nothing to show', () => {
    show(table(rows));
    expect(cellsOf(screen.getByRole('table')).map((cells) => cells[2])).toEqual(['Delete', '']);
  });

  it('has rows that take the focus by keys, not by Tab', () => {
    show(table(rows));
    const [, first] = screen.getAllByRole('row');
    expect(first?.tabIndex).toBe(-1);
  });

  it('keeps the elements of a record when another one is removed', () => {
    const { rerender } = show(table(rows));
    const row = screen.getByRole('row', { name: /^b/ });
    rerender(table(rows.slice(1)));
    expect(screen.getByRole('row', { name: /^b/ })).toBe(row);
    expect(within(screen.getByRole('table')).queryByText('a')).toBeNull();
  });
});
