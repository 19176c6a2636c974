import type { ComponentChildren, JSX } from 'preact';
import type { Loaded } from '../../data/use-resource.ts';
import { ErrorNotice } from '../error-notice.tsx';
import { Loading } from '../loading.tsx';
import { DataTable, type TableColumn } from './data-table.tsx';
import { EmptyState } from './empty-state.tsx';

export interface ListViewProps<Row> {
  readonly label: string;
  readonly resource: Loaded<readonly Row[]>;
  readonly columns: readonly TableColumn<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly none: string;
  readonly noneExplanation?: ComponentChildren;
}

/** Renders a loaded list as a table, its empty state, or its loading error. */
export function ListView<Row>(props: ListViewProps<Row>): JSX.Element {
  const { label, resource, columns, keyOf, none, noneExplanation } = props;
  const { value, error, reload } = resource;
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {value === null && error === null && <Loading />}
      {value?.length === 0 && (
        <EmptyState title={none}>{noneExplanation !== undefined && <p>{noneExplanation}</p>}</EmptyState>
      )}
      {value !== null && value.length > 0 && <DataTable label={label} rows={value} columns={columns} keyOf={keyOf} />}
    </>
  );
}
