/** A JSON object of the API. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value at a dotted path, or undefined. */
export function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, key) => (Array.isArray(at) ? at[Number(key)] : isFields(at) ? at[key] : undefined), value);
}

/** Returns a copy with the value at a dotted path replaced; undefined removes the field. */
export function withValueAt(fields: JsonObject, path: string, value: unknown): JsonObject {
  const [key = '', ...rest] = path.split('.');
  const inner = rest.length === 0 ? value : withInner(fields[key], rest.join('.'), value);
  if (inner !== undefined) return { ...fields, [key]: inner };
  const { [key]: _removed, ...others } = fields;
  return others;
}

function withInner(inner: unknown, path: string, value: unknown): unknown {
  if (!Array.isArray(inner)) return withValueAt(isFields(inner) ? inner : {}, path, value);
  const [index = '', ...rest] = path.split('.');
  const at = Number(index);
  return inner.with(at, rest.length === 0 ? value : withInner(inner[at], rest.join('.'), value));
}

/** Returns true if `path` is `other` or a path below it. */
export function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`);
}

/**
 * Returns the fields of `after` that differ from those of `before`. A field that `after` lacks becomes an empty list or
 * null, which the API rejects if the field needs a value.
 */
export function changedFields(before: JsonObject, after: JsonObject): JsonObject {
  const cleared = Object.entries(before)
    .filter(([key]) => !(key in after))
    .map(([key, value]) => [key, Array.isArray(value) ? [] : null] as const);
  const all = [...Object.entries(after), ...cleared];
  return Object.fromEntries(all.filter(([key, value]) => !isSame(before[key], value)));
}

/** Compares JSON values deeply. An absent field equals an undefined one. */
export function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  const sorted = (_key: string, each: unknown): unknown =>
    isFields(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each;
  return JSON.stringify(value, sorted) ?? 'undefined';
}
