import type { Collection, StoredRecord } from '@va/core/adapter';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { foreignOwner } from '../record-errors.ts';
import type { Result } from './connection.ts';
import { countQuery, countUpToQuery } from './count.ts';
import { type Compilable, expressions as eb } from './database.ts';
import { daySumsQuery } from './day-sums.ts';
import {
  conditionsSql,
  filterSql,
  isSearchFor,
  isSimple,
  type ParsedCondition,
  type ParsedFilter,
  parseFilter,
  parseWhere,
  shapeOf,
} from './filter.ts';
import { groupSumsQuery } from './group-sums.ts';
import { insertMany } from './insert-many.ts';
import { itemSumsQuery } from './item-sums.ts';
import { listQuery } from './list.ts';
import { ofOrganization } from './of-organization.ts';
import type { RunStatement } from './run.ts';
import { countFound, searchRecords } from './search.ts';
import { slot } from './statements.ts';
import { type Column, type Table, toRecord, valueIn } from './table.ts';

interface OneInput {
  readonly orgId: string;
  readonly id: string;
  /** Values to write, by column name. */
  readonly given: object;
  readonly expected: readonly ParsedCondition[];
}

interface ManyInput {
  readonly orgId: string;
  readonly filter: ParsedFilter;
  readonly given?: object;
}

/** A statement on one record, with its optional values and condition. */
interface OnOne {
  readonly orgId: string;
  readonly id: string;
  readonly given?: object;
  readonly expected: object | undefined;
  readonly changed?: readonly Column[];
}

/** Returns the verbs of a collection as SQL statements on its table. */
export function sqlCollection<R extends StoredRecord>(run: RunStatement, table: Table): Collection<R> {
  const { db, schema, name, columns, columnNames } = table;

  // A function, so that conditions are built only once for each statement: a collection is created for each
  // transaction.
  const inFilter = (filter: ParsedFilter): Expression<SqlBool> =>
    eb.and([ofOrganization(table), filterSql<ManyInput>(filter, (input) => input.filter)]);

  /** Runs a statement on the record with the id, if it matches `expected`. */
  async function onExpected(
    verb: string,
    { orgId, id, given = {}, changed = [], ...one }: OnOne,
    build: (isExpected: Expression<SqlBool>) => Compilable,
  ): Promise<Result> {
    const expected = parseWhere(table, one.expected ?? {});
    const shape = `${schema.name}.${verb} ${changed.map((column) => column.name).join()} ${shapeOf(expected)}`;
    const isExpected = (): Expression<SqlBool> =>
      eb.and([
        ofOrganization(table),
        eb(
          'id',
          '=',
          slot<OneInput, string>((input) => input.id),
        ),
        ...conditionsSql<OneInput>(expected, (input) => input.expected),
      ]);
    return await run<OneInput>({ shape, build: () => build(isExpected()), input: { orgId, id, given, expected } });
  }

  const selectOne = (isExpected: Expression<SqlBool>) => db.selectFrom(name).select(columnNames).where(isExpected);
  const updateOne = (
    set: Readonly<Record<string, Expression<unknown>>>,
    isExpected: Expression<SqlBool>,
  ): Compilable =>
    Object.keys(set).length === 0
      ? selectOne(isExpected)
      : db.updateTable(name).set(set).where(isExpected).returning(columnNames);

  return {
    async insert(orgId, record) {
      checkOwner(table, orgId, record);
      const org = slot<OneInput, string>((input) => input.orgId);
      const build = (): Compilable =>
        db.insertInto(name).values({ ...givenSlots(columns), ...(schema.ownsItself ? {} : { org_id: org }) });
      await run({ shape: `${schema.name}.insert`, build, input: { orgId, given: record } });
    },

    async insertMany(orgId, records) {
      if (records.length === 0) return [];
      for (const record of records) checkOwner(table, orgId, record);
      return await insertMany(run, table, records, orgId);
    },

    async get(orgId, id) {
      return recordOf(await onExpected('get', { orgId, id, expected: undefined }, selectOne));
    },

    async lock(orgId, id, expected) {
      // Weaker than FOR UPDATE, which would also block inserts of records that refer to this one.
      const lock = (isExpected: Expression<SqlBool>): Compilable => selectOne(isExpected).forNoKeyUpdate();
      return recordOf(await onExpected('lock', { orgId, id, expected }, lock));
    },

    async list(orgId, { limit, offset = 0, after, order = schema.order, ...given }) {
      const filter = parseFilter(table, given);
      if (isSearchFor(filter)) {
        return await searchRecords<R>(run, table, { orgId, filter, page: { limit, offset }, order, after });
      }
      const shape = `${schema.name}.list ${order} ${offset > 0} ${after !== undefined} ${filter.shape}`;
      const { rows } = await run({
        shape,
        build: () => listQuery(table, filter, { order, hasOffset: offset > 0, hasAfter: after !== undefined }),
        input: { orgId, filter, limit, offset, after },
        isPlannedOnce: isSimple(filter),
      });
      return rows.map((row) => toRecord<R>(row));
    },

    async count(orgId, given, atMost) {
      const filter = parseFilter(table, given);
      if (atMost !== undefined && isSearchFor(filter)) return await countFound(run, table, { orgId, filter, atMost });
      if (atMost !== undefined) {
        const { rows } = await run({
          shape: `${schema.name}.countUpTo ${filter.shape}`,
          build: () => countUpToQuery(table, filter),
          input: { orgId, filter, atMost },
        });
        return Number(rows[0]?.count);
      }
      const { rows } = await run({
        shape: `${schema.name}.count ${filter.shape}`,
        build: () => countQuery(table, filter),
        input: { orgId, filter },
        isPlannedOnce: isSimple(filter),
      });
      return Number(rows[0]?.count);
    },

    async sum(orgId, fields, given) {
      const filter = parseFilter(table, given);
      const { rows } = await run({
        shape: `${schema.name}.sum ${fields} ${filter.shape}`,
        build: () =>
          db
            .selectFrom(name)
            .select(({ fn }) => fields.map((field) => fn.coalesce(fn.sum(field), sql.lit(0)).as(field)))
            .where(inFilter(filter)),
        input: { orgId, filter },
      });
      return Object.fromEntries(fields.map((field) => [field, rows[0]?.[field]])) as Record<
        (typeof fields)[number],
        number
      >;
    },

    async sumItems(orgId, { field, by, sums, limit, ...given }) {
      const filter = parseFilter(table, given);
      const { rows } = await run({
        shape: `${schema.name}.sumItems ${field} ${by} ${sums} ${filter.shape}`,
        build: () => itemSumsQuery(table, { field, by, sums }, inFilter(filter)),
        input: { orgId, filter, limit },
      });
      return rows as never[];
    },

    async sumGroups(orgId, { by, sums, limit, ...given }) {
      const filter = parseFilter(table, given);
      const { rows } = await run({
        shape: `${schema.name}.sumGroups ${by} ${sums} ${filter.shape}`,
        build: () =>
          (name === 'call_statistics' ? daySumsQuery(table, { by, sums }, filter) : null) ??
          groupSumsQuery(table, { by, sums }, inFilter(filter)),
        input: { orgId, filter, limit },
      });
      return rows as never[];
    },

    async update(orgId, id, changes, expected) {
      const changed = table.changed(changes);
      return recordOf(
        await onExpected('update', { orgId, id, given: changes, expected, changed }, (isExpected) =>
          updateOne(givenSlots(changed), isExpected),
        ),
      );
    },

    async updateMany(orgId, given, changes) {
      const filter = parseFilter(table, given);
      const changed = table.changed(changes);
      if (changed.length === 0) return await this.count(orgId, given);
      const { rowCount } = await run<ManyInput>({
        shape: `${schema.name}.updateMany ${changed.map((column) => column.name)} ${filter.shape}`,
        build: () => db.updateTable(name).set(givenSlots(changed)).where(inFilter(filter)),
        input: { orgId, filter, given: changes },
      });
      return rowCount;
    },

    async increment(orgId, id, amounts, expected) {
      const changed = table.changed(amounts);
      const sums = changed.map((column) => [column.name, eb(column.name, '+', givenSlot(column))] as const);
      return recordOf(
        await onExpected('increment', { orgId, id, given: amounts, expected, changed }, (isExpected) =>
          updateOne(Object.fromEntries(sums), isExpected),
        ),
      );
    },

    async delete(orgId, id, expected) {
      const { rowCount } = await onExpected('delete', { orgId, id, expected }, (isExpected) =>
        db.deleteFrom(name).where(isExpected),
      );
      return rowCount > 0;
    },
  };

  function recordOf({ rows }: Result): R | null {
    return rows[0] === undefined ? null : toRecord<R>(rows[0]);
  }
}

/** Throws `VaError` (`foreign_owner`) for the record of an organization to be stored under the id of another one. */
export function checkOwner({ schema }: Table, orgId: string, { id }: StoredRecord): void {
  if (schema.ownsItself && id !== orgId) throw foreignOwner(schema, id, orgId);
}

/** Returns the placeholder of a column's value in the given values. */
export function givenSlot(column: Column): RawBuilder<number> {
  return slot<{ given: object }, number>(({ given }) => column.encode(valueIn(given, column.name)) as number);
}

/** Returns the placeholders of several columns, by name. */
function givenSlots(columns: readonly Column[]): Record<string, RawBuilder<unknown>> {
  return Object.fromEntries(columns.map((column) => [column.name, givenSlot(column)]));
}
