// @vitest-environment happy-dom
import { screen } from '@testing-library/dom';
import { describe, expect, it, vi } from 'vitest';
import type { Loaded } from '../../../src/app/data/use-resource.ts';
import { ListView } from '../../../src/app/ui/list/list-view.tsx';
import { SearchBox } from '../../../src/app/ui/list/search-box.tsx';
import { show, showPage } from '../../support/show.tsx';
import { cellsOf, press, type } from '../../support/user.ts';

interface Row {
  readonly id: string;
  readonly count: number;
}

function showList(resource: Partial<Loaded<readonly Row[]>>): void {
  const idle = { value: null, error: null, isLoading: false, reload: () => {} };
  show(
    <ListView<Row>
      label="Numbers"
      resource={{ ...idle, ...resource }}
      columns={[
        { title: 'Name', cell: ({ id }) => <a href={`#/numbers/${id}`}>{id}</a> },
        { title: 'Calls', isNumber: true, cell: ({ count }) => count },
      ]}
      keyOf={({ id }) => id}
      none="No numbers"
      noneExplanation="Register one."
    />,
  );
}

describe('a list', () => {
  it('shows that it is loading', () => {
    showList({});
    expect(screen.getByRole('status').textContent).toBe('Loading…');
  });

  it('shows its records as a table', () => {
    const value = [
      { id: 'a', count: 1 },
      { id: 'b', count: 2 },
    ];
    showList({ value });
    expect(cellsOf(screen.getByRole('table', { name: 'Numbers' }))).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Name', 'Calls']);
    expect(screen.getByRole('rowheader', { name: 'b' })).toBeTruthy();
  });

  it('says that it is empty, and what to do', () => {
    showList({ value: [] });
    expect(screen.getByRole('heading', { name: 'No numbers' })).toBeTruthy();
    expect(screen.getByText('Register one.')).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('shows an error, and loads again on request', () => {
    const reload = vi.fn();
    showList({ error: new Error('offline'), reload });
    expect(screen.getByRole('alert').textContent).toContain('offline');
    expect(screen.queryByText('Loading…')).toBeNull();
    press('Try again');
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('keeps its records beside the error of a reload', () => {
    showList({ value: [{ id: 'a', count: 1 }], error: new Error('offline') });
    expect(screen.getByRole('alert')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'a' })).toBeTruthy();
  });
});

describe('a search field', () => {
  it('keeps its text in the URL', () => {
    showPage(<SearchBox label="Search agents" value="" />, '#/agents?tab=x');
    const field = screen.getByRole('searchbox', { name: 'Search agents' });
    type(field, 'an na');
    expect(location.hash).toBe('#/agents?tab=x&q=an+na');
    type(field, '');
    expect(location.hash).toBe('#/agents?tab=x');
  });
});
