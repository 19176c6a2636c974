/** The subset of JSON Schema that forms are generated from. */
export interface FormSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  readonly items?: FormSchema;
  readonly anyOf?: readonly FormSchema[];
  readonly oneOf?: readonly FormSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** Returns the only non-null alternative of a schema, merged over it; the schema itself if it has none or several. */
export function present(schema: FormSchema): FormSchema {
  const others = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  const [only] = others;
  return only !== undefined && others.length === 1 ? { ...schema, anyOf: [], ...only } : schema;
}

/** Returns true if the schema accepts null. */
export function isNullable(schema: FormSchema): boolean {
  return schema.anyOf?.some(({ type }) => type === 'null') ?? false;
}

/** Returns the schema of a field by its dotted path, or null. */
export function schemaAt(schema: FormSchema, path: string): FormSchema | null {
  let found: FormSchema | undefined = schema;
  for (const key of path.split('.')) found = found === undefined ? undefined : present(found).properties?.[key];
  return found ?? null;
}
