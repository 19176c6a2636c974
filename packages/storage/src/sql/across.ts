import type { CollectionAcross, Filter, Owned, StoredRecord } from '@va/core';
import { type RawBuilder, sql } from 'kysely';
import { assignments, checkOwner } from './collection.ts';
import { type Conditions, filterSql, isSimple, parseFilter } from './filter.ts';
import { insertOwned } from './insert-many.ts';
import type { Run } from './run.ts';
import { slot } from './statements.ts';
import { type Table, toRecord } from './table.ts';

interface AcrossInput {
  readonly filter: Conditions;
  readonly limit: number;
}

export function sqlAcross<R extends StoredRecord>(run: Run, table: Table): CollectionAcross<R> {
  const { schema, sql: name, columnList, owner } = table;
  const limit = (): RawBuilder<unknown> => sql`limit ${slot<AcrossInput>((input) => input.limit)}`;
  const matching = (filter: Conditions): RawBuilder<unknown> => filterSql<AcrossInput>(filter, (input) => input.filter);
  /** Texts are ordered by code point, whatever the collation of the database. */
  const sortKey = (field: string): RawBuilder<unknown> => {
    const column = table.column(field);
    return column.kind === 'text' ? sql`${column.sql} collate "C"` : column.sql;
  };
  const toOwned = ({ owner_id: orgId, ...row }: Readonly<Record<string, unknown>>): Owned<R> => ({
    orgId: String(orgId),
    record: toRecord<R>(row),
  });

  return {
    async insertMany(owned) {
      if (owned.length === 0) return [];
      for (const { orgId, record } of owned) checkOwner(table, orgId, record);
      return await insertOwned(run, table, owned);
    },

    async find(given: Filter<R>, count, orderBy = 'created_at') {
      const filter = parseFilter(table, given);
      const build = (): RawBuilder<unknown> => sql`select ${owner} as owner_id, ${columnList} from ${name}
        where ${matching(filter)} order by ${sortKey(orderBy)} asc nulls last, created_at, id ${limit()}`;
      const { rows } = await run({
        shape: `${schema.name}.find ${orderBy} ${filter.shape}`,
        build,
        input: { filter, limit: count },
        isPlannedOnce: isSimple(filter),
      });
      return rows.map(toOwned);
    },

    async claim({ filter: given, changes, limit: count, orderBy = 'created_at' }) {
      const filter = parseFilter(table, given);
      const changed = table.changed(changes);
      const shape = `${schema.name}.claim ${orderBy} ${changed.map((column) => column.name)} ${filter.shape}`;
      // The rows that an UPDATE returns have no order: it is taken from the rows that were picked.
      const key = (): RawBuilder<unknown> => sortKey(orderBy);
      const build = (): RawBuilder<unknown> => sql`with picked as materialized (
          select id as picked_id, ${key()} as picked_by, created_at as picked_at from ${name}
          where ${matching(filter)} order by ${key()} asc nulls last, created_at, id ${limit()} for update skip locked
        ), changed as (
          update ${name} set ${assignments(changed)} from picked where id = picked_id
          returning ${owner} as owner_id, ${columnList}
        )
        select changed.* from changed join picked on id = picked_id order by picked_by asc nulls last, picked_at, id`;
      const input = { filter, given: changes, limit: count };
      const { rows } = await run({ shape, build, input, isPlannedOnce: isSimple(filter) });
      return rows.map(toOwned);
    },

    async purge(given, count) {
      const filter = parseFilter(table, given);
      // As an array the rows are picked once; as a set they could be picked, and skipped, again and again.
      const build = (): RawBuilder<unknown> => sql`delete from ${name} where id = any(array(
          select id from ${name} where ${matching(filter)} order by created_at, id ${limit()} for update skip locked
        ))`;
      const { rowCount } = await run({
        shape: `${schema.name}.purge ${filter.shape}`,
        build,
        input: { filter, limit: count },
        isPlannedOnce: isSimple(filter),
      });
      return rowCount;
    },
  };
}
