/** The subset of JSON Schema that forms are generated from. */
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
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** Returns the schema of the non-null values, if it has a single alternative. */
export function present(schema: Schema): Schema {
  const others = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  const [only] = others;
  return only !== undefined && others.length === 1 ? { ...schema, anyOf: [], ...only } : schema;
}

/** Returns true if the schema accepts null. */
export function isNullable(schema: Schema): boolean {
  return schema.anyOf?.some(({ type }) => type === 'null') ?? false;
}

/** Returns the schema of a field by its dotted path, or null. */
export function schemaAt(schema: Schema, path: string): Schema | null {
  let found: Schema | undefined = schema;
  for (const key of path.split('.')) found = found === undefined ? undefined : present(found).properties?.[key];
  return found ?? null;
}
