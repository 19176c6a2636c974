import { encode, type SqlValue, type Table } from './table.ts';

export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

type Given =
  | SqlValue
  | boolean
  | { readonly in: readonly (SqlValue | boolean)[] }
  | { readonly gte?: SqlValue; readonly lt?: SqlValue }
  | { readonly words: readonly string[] };

/** Returns a filter as an SQL condition; `true` for an empty filter. */
export function filterSql(
  table: Table,
  { where = {}, anyOf = [] }: { where?: object; anyOf?: readonly object[] } = {},
): Sql {
  const all = whereSql(table, where);
  return anyOf.length === 0
    ? all
    : join(
        [
          all,
          join(
            anyOf.map((each) => whereSql(table, each)),
            ' or ',
          ),
        ],
        ' and ',
      );
}

export function whereSql(table: Table, where: object): Sql {
  const conditions = Object.entries(where).map(([name, given]: [string, Given | undefined]) => {
    const field = table.field(name);
    if (typeof given === 'object' && given !== null && 'words' in given && table.schema.searched.includes(name)) {
      return { text: `has_words("${name}", ?)`, values: [JSON.stringify(given.words)] };
    }
    if (
      given === undefined ||
      (typeof given === 'object' && given !== null && 'words' in given) ||
      field.kind === 'json'
    )
      throw new TypeError(`The field ${name} has no such condition.`);
    const column = `"${name}"`;
    if (given === null) return { text: `${column} is null`, values: [] };
    if (typeof given !== 'object') return { text: `${column} = ?`, values: [encode(field, given)] };
    if ('in' in given) {
      const values = given.in.filter((value) => value !== null).map((value) => encode(field, value));
      const isIn = { text: `${column} in (select value from json_each(?))`, values: [JSON.stringify(values)] };
      if (values.length === given.in.length) return isIn;
      return join([isIn, { text: `${column} is null`, values: [] }], ' or ');
    }
    const bounds = [
      ...(given.gte === undefined ? [] : [{ text: `${column} >= ?`, values: [given.gte] }]),
      ...(given.lt === undefined ? [] : [{ text: `${column} < ?`, values: [given.lt] }]),
    ];
    return join([{ text: `${column} is not null`, values: [] }, ...bounds], ' and ');
  });
  return conditions.length === 0 ? { text: 'true', values: [] } : join(conditions, ' and ');
}

export function join(parts: readonly Sql[], separator: string): Sql {
  return {
    text: `(${parts.map(({ text }) => text).join(separator)})`,
    values: parts.flatMap(({ values }) => values),
  };
}
