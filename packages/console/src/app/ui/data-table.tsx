import type { ComponentChildren, JSX } from 'preact';
import { Scroller } from './scroller.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

export interface DataTableProps<Row> {
  /** Name of the table for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** The first one names the record of a row. */
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
}

/** A table of records. `j` and `k` move through the rows: to the link of each, or else to the row itself. */
export function DataTable<Row>({ label, rows, columns, keyOf }: DataTableProps<Row>): JSX.Element {
  const classOf = ({ isNumber = false }: Column<Row>): string | undefined => (isNumber ? 'number' : undefined);
  const [first, ...others] = columns;
  return (
    <Scroller class="table-frame" label={label}>
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} tabIndex={-1}>
              {first !== undefined && (
                <th scope="row" class={classOf(first)}>
                  {first.cell(row)}
                </th>
              )}
              {others.map((column) => (
                <td key={column.title} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}
