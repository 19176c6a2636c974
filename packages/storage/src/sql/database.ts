import type { TableName } from '@va/core/adapter';
import {
  type CompiledQuery,
  DummyDriver,
  type ExpressionBuilder,
  expressionBuilder,
  type Generated,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';

/** A row of a collection's table. The definition of the collection names its other columns. */
export interface CollectionRow {
  id: string;
  org_id: string;
  created_at: string;
  [column: string]: unknown;
}

/** Counts of ended calls, kept by triggers. */
interface CallCountsTable {
  org_id: string;
  period: 'all' | 'day' | 'month';
  first_day: string;
  calls: number;
  [dimension: string]: unknown;
}

/** Sums of the statistics of calls by day, kept by triggers. */
interface CallStatisticsDaysTable {
  org_id: string;
  created_on: string;
  calls: number;
  [column: string]: unknown;
}

/** The nodes of a cluster. `lost_at` is set when another node found the lease expired. */
interface NodesTable {
  id: string;
  name: string;
  is_draining: boolean;
  calls: number;
  seats: Generated<number>;
  started_at: Generated<string>;
  expires_at: string;
  lost_at: string | null;
  renewed_at: unknown;
  details: unknown;
  trunks: unknown;
}

/** The tables: one for each collection, and three that only this package uses. */
export type Database = Record<TableName, CollectionRow> & {
  call_counts: CallCountsTable;
  call_statistics_days: CallStatisticsDaysTable;
  nodes: NodesTable;
};

/** Builds statements on the tables of one schema. */
export type QueryBuilder = Kysely<Database>;

/** Builds conditions on a collection's table. */
export const expressions: ExpressionBuilder<Database, TableName> = expressionBuilder<Database, TableName>();

/** Anything that compiles to a statement. */
export interface Compilable {
  compile(): CompiledQuery;
}

/**
 * Returns a query builder for the tables of a schema. It compiles statements and has no connection: drivers run them.
 */
export function queryBuilder(schema: string): QueryBuilder {
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }).withSchema(schema);
}
