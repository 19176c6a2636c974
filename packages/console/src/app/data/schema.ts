/** The parts of JSON Schema that forms are generated from. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** Returns the schema of a value that is not null. */
export function present(schema: Schema): Schema {
  const others = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  const [only] = others;
  return only !== undefined && others.length === 1 ? { ...schema, anyOf: [], ...only } : schema;
}

/** True if null is a value of the schema. */
export function isNullable(schema: Schema): boolean {
  return schema.anyOf?.some(({ type }) => type === 'null') ?? false;
}

/** Returns the schema of a field by its dotted path; null where there is none. */
export function schemaAt(schema: Schema, path: string): Schema | null {
  let found: Schema | undefined = schema;
  for (const key of path.split('.')) found = found === undefined ? undefined : present(found).properties?.[key];
  return found ?? null;
}
