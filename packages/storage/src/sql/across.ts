import type { CollectionAcross, Filter, Owned, StoredRecord } from '@va/core/adapter';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { checkOwner, givenSlot } from './collection.ts';
import type { Compilable } from './database.ts';
import { filterSql, isSimple, type ParsedFilter, parseFilter } from './filter.ts';
import { insertOwned } from './insert-many.ts';
import type { RunStatement } from './run.ts';
import { slot } from './statements.ts';
import { type Table, toRecord } from './table.ts';

interface AcrossInput {
  readonly filter: ParsedFilter;
  readonly limit: number;
}

/** Returns the verbs on the records of all organizations as SQL statements. */
export function sqlAcross<R extends StoredRecord>(run: RunStatement, table: Table): CollectionAcross<R> {
  const { db, databaseSchema, schema, name, columnNames, owner } = table;
  const limit = (): RawBuilder<number> => slot<AcrossInput, number>((input) => input.limit);
  const matching = (filter: ParsedFilter): Expression<SqlBool> =>
    filterSql<AcrossInput>(filter, (input) => input.filter);
  /** Texts are ordered by code point, whatever the collation of the database. */
  const sortKey = (field: string): RawBuilder<unknown> => {
    const column = table.column(field);
    return column.kind === 'text' ? sql`${sql.ref(column.name)} collate "C"` : sql.ref(column.name);
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
      const build = (): Compilable =>
        db
          .selectFrom(name)
          .select([`${owner} as owner_id`, ...columnNames])
          .where(matching(filter))
          .orderBy(sortKey(orderBy), (order) => order.asc().nullsLast())
          .orderBy('created_at')
          .orderBy('id')
          .limit(limit());
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
      const input = { filter, given: changes, limit: count };
      const { rows } = await run({ shape, build: () => claimQuery(filter), input, isPlannedOnce: isSimple(filter) });
      return rows.map(toOwned);

      /**
       * Returns the statement as raw SQL, because the builder would make the three steps and their names hard to
       * follow.
       */
      function claimQuery(conditions: ParsedFilter): Compilable {
        const target = sql.id(databaseSchema, name);
        const columns = sql.join(columnNames.map((column) => sql.id(column)));
        const set = sql.join(changed.map((column) => sql`${sql.id(column.name)} = ${givenSlot(column)}`));
        // The rows that an UPDATE returns have no order: the join with the picked rows restores it.
        const query = sql`with picked as materialized (
            select id as picked_id, ${sortKey(orderBy)} as picked_by, created_at as picked_at from ${target}
            where ${matching(conditions)}
            order by ${sortKey(orderBy)} asc nulls last, created_at, id limit ${limit()} for update skip locked
          ), changed as (
            update ${target} set ${set} from picked where id = picked_id
            returning ${sql.id(owner)} as owner_id, ${columns}
          )
          select changed.* from changed join picked on id = picked_id
          order by picked_by asc nulls last, picked_at, id`;
        return { compile: () => query.compile(db) };
      }
    },

    async purge(given, count) {
      const filter = parseFilter(table, given);
      const build = (): Compilable => {
        const picked = db
          .selectFrom(name)
          .select('id')
          .where(matching(filter))
          .orderBy('created_at')
          .orderBy('id')
          .limit(limit())
          .forUpdate()
          .skipLocked();
        // An array is computed once. PostgreSQL may run a subquery of IN repeatedly, and pick other rows each time.
        return db.deleteFrom(name).where('id', '=', sql<string>`any(array(${picked}))`);
      };
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
