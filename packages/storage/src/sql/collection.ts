import { type Collection, type StoredRecord, VaError } from '@va/core';
import { type RawBuilder, sql } from 'kysely';
import type { Result } from './connection.ts';
import { countSql } from './count.ts';
import {
  type Condition,
  type Conditions,
  conditionsSql,
  filterSql,
  isSimple,
  parseFilter,
  parseWhere,
  shapeOf,
} from './filter.ts';
import { insertMany } from './insert-many.ts';
import { listSql } from './list.ts';
import type { Run } from './run.ts';
import { and, slot } from './statements.ts';
import { type Column, type Table, toRecord, valueIn } from './table.ts';

interface OneInput {
  readonly orgId: string;
  readonly id: string;
  /** What to write, by column name. */
  readonly given: object;
  readonly expected: readonly Condition[];
}

export function sqlCollection<R extends StoredRecord>(run: Run, table: Table): Collection<R> {
  const { schema, sql: name, columns, columnList, owner } = table;
  // Made when a statement is, which is once: collections are made for each transaction.
  const ofOrg = (): RawBuilder<unknown> => sql`${owner} = ${slot<{ orgId: string }>(({ orgId }) => orgId)}`;
  const ofId = (): RawBuilder<unknown> => sql`${ofOrg()} and id = ${slot<OneInput>(({ id }) => id)}`;

  /** Runs a statement on the record with the id, where it is as expected. */
  async function onExpected(
    verb: string,
    one: { orgId: string; id: string; given?: object; expected: object | undefined; changed?: readonly Column[] },
    build: (isExpected: RawBuilder<unknown>) => RawBuilder<unknown>,
  ): Promise<Result> {
    const { orgId, id, given = {}, changed = [] } = one;
    const expected = parseWhere(table, one.expected ?? {});
    const shape = `${schema.name}.${verb} ${changed.map((column) => column.name).join()} ${shapeOf(expected)}`;
    const isExpected = (): RawBuilder<unknown> =>
      and([ofId(), ...conditionsSql<OneInput>(expected, (input) => input.expected)]);
    return await run<OneInput>({ shape, build: () => build(isExpected()), input: { orgId, id, given, expected } });
  }

  return {
    async insert(orgId, record) {
      checkOwner(table, orgId, record);
      const build = (): RawBuilder<unknown> => {
        const values = sql.join(columns.map(givenSlot));
        if (schema.ownsItself) return sql`insert into ${name} (${columnList}) values (${values})`;
        return sql`insert into ${name} (org_id, ${columnList})
          values (${slot<OneInput>((input) => input.orgId)}, ${values})`;
      };
      await run({ shape: `${schema.name}.insert`, build, input: { orgId, given: record } });
    },

    async insertMany(orgId, records) {
      if (records.length === 0) return [];
      for (const record of records) checkOwner(table, orgId, record);
      return await insertMany(run, table, records, orgId);
    },

    async get(orgId, id) {
      const build = (): RawBuilder<unknown> => sql`select ${columnList} from ${name} where ${ofId()}`;
      const { rows } = await run({ shape: `${schema.name}.get`, build, input: { orgId, id } });
      return rows[0] === undefined ? null : toRecord<R>(rows[0]);
    },

    async lock(orgId, id, expected) {
      // A weaker lock than `for update`, which would also make inserts of records wait that refer to this one.
      const { rows } = await onExpected(
        'lock',
        { orgId, id, expected },
        (isExpected) => sql`select ${columnList} from ${name} where ${isExpected} for no key update`,
      );
      return rows[0] === undefined ? null : toRecord<R>(rows[0]);
    },

    async list(orgId, { limit, offset = 0, after, order = schema.order, ...given }) {
      const filter = parseFilter(table, given);
      const shape = `${schema.name}.list ${order} ${offset > 0} ${after !== undefined} ${filter.shape}`;
      const build = (): RawBuilder<unknown> =>
        listSql(table, filter, { order, hasOffset: offset > 0, hasAfter: after !== undefined });
      const { rows } = await run({
        shape,
        build,
        input: { orgId, filter, limit, offset, after },
        isPlannedOnce: isSimple(filter),
      });
      return rows.map((row) => toRecord<R>(row));
    },

    async count(orgId, given) {
      const filter = parseFilter(table, given);
      const build = (): RawBuilder<unknown> => countSql(table, filter);
      const { rows } = await run({
        shape: `${schema.name}.count ${filter.shape}`,
        build,
        input: { orgId, filter },
        isPlannedOnce: isSimple(filter),
      });
      return Number(rows[0]?.count);
    },

    async sum(orgId, fields, given) {
      const filter = parseFilter(table, given);
      const sumOf = (field: string): RawBuilder<unknown> => sql`coalesce(sum(${sql.id(field)}), 0) as ${sql.id(field)}`;
      const build = (): RawBuilder<unknown> => sql`select ${sql.join(fields.map(sumOf))} from ${name}
        where ${ofOrg()} and ${filterSql<{ filter: Conditions }>(filter, (input) => input.filter)}`;
      const { rows } = await run({
        shape: `${schema.name}.sum ${fields} ${filter.shape}`,
        build,
        input: { orgId, filter },
      });
      return Object.fromEntries(fields.map((field) => [field, rows[0]?.[field]])) as Record<
        (typeof fields)[number],
        number
      >;
    },

    async update(orgId, id, changes, expected) {
      const changed = table.changed(changes);
      const { rows } = await onExpected('update', { orgId, id, given: changes, expected, changed }, (isExpected) =>
        changed.length === 0
          ? sql`select ${columnList} from ${name} where ${isExpected}`
          : sql`update ${name} set ${assignments(changed)} where ${isExpected} returning ${columnList}`,
      );
      return rows[0] === undefined ? null : toRecord<R>(rows[0]);
    },

    async updateMany(orgId, given, changes) {
      const filter = parseFilter(table, given);
      const changed = table.changed(changes);
      if (changed.length === 0) return await this.count(orgId, given);
      const shape = `${schema.name}.updateMany ${changed.map((column) => column.name)} ${filter.shape}`;
      const build = (): RawBuilder<unknown> => sql`update ${name} set ${assignments(changed)}
        where ${ofOrg()} and ${filterSql<{ filter: Conditions }>(filter, (input) => input.filter)}`;
      return (await run({ shape, build, input: { orgId, filter, given: changes } })).rowCount;
    },

    async increment(orgId, id, amounts, expected) {
      const changed = table.changed(amounts);
      const sum = (column: Column): RawBuilder<unknown> => sql`${column.sql} = ${column.sql} + ${givenSlot(column)}`;
      const { rows } = await onExpected('increment', { orgId, id, given: amounts, expected, changed }, (isExpected) =>
        changed.length === 0
          ? sql`select ${columnList} from ${name} where ${isExpected}`
          : sql`update ${name} set ${sql.join(changed.map(sum))} where ${isExpected} returning ${columnList}`,
      );
      return rows[0] === undefined ? null : toRecord<R>(rows[0]);
    },

    async delete(orgId, id, expected) {
      const { rowCount } = await onExpected(
        'delete',
        { orgId, id, expected },
        (isExpected) => sql`delete from ${name} where ${isExpected}`,
      );
      return rowCount > 0;
    },
  };
}

/** Throws `VaError` (`foreign_owner`). */
export function checkOwner({ schema }: Table, orgId: string, { id }: StoredRecord): void {
  if (schema.ownsItself && id !== orgId) {
    throw new VaError('foreign_owner', `A record of ${schema.name} is owned by itself alone.`);
  }
}

/** The value of a column in what the input gives. */
function givenSlot(column: Column): RawBuilder<unknown> {
  return slot<{ given: object }>(({ given }) => column.encode(valueIn(given, column.name)));
}

/** `set` of the columns that changes replace. */
export function assignments(changed: readonly Column[]): RawBuilder<unknown> {
  return sql.join(changed.map((column) => sql`${column.sql} = ${givenSlot(column)}`));
}
