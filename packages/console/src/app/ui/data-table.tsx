import type { ComponentChildren, JSX } from 'preact';

export interface Column<Row> {
  readonly title: string;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

export interface DataTableProps<Row> {
  /** Name of the table for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
}

/** A table of records. `j` and `k` move through the rows by the first link or button of each. */
export function DataTable<Row>({ label, rows, columns, keyOf }: DataTableProps<Row>): JSX.Element {
  const classOf = ({ isNumber = false }: Column<Row>): string | undefined => (isNumber ? 'number' : undefined);
  return (
    <div class="table-frame">
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
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
