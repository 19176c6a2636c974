import type { ComponentChildren, JSX } from 'preact';
import { Scroller } from './scroller.tsx';

export interface TableColumn<Row> {
  readonly title: string;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

export interface DataTableProps<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** The first column names the record. */
  readonly columns: readonly TableColumn<Row>[];
  readonly keyOf: (row: Row) => string;
}

/** A table of records. `j` and `k` focus the link of each row, or the row itself. */
export function DataTable<Row>({ label, rows, columns, keyOf }: DataTableProps<Row>): JSX.Element {
  const classOf = ({ isNumber = false }: TableColumn<Row>): string | undefined => (isNumber ? 'number' : undefined);
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
