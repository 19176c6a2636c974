import { openapi, routes } from '@va/http';

/** The subset of JSON Schema that the OpenAPI document of the API uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface DescribedOperation {
  readonly parameters?: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly description?: string;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Returns the OpenAPI document of the API. */
export function describeApi(): Description {
  return JSON.parse(JSON.stringify(openapi(routes)));
}

/** Returns the name of the schema that a reference leads to; null if the schema is not a reference. */
export function refName({ $ref }: Schema): string | null {
  return $ref?.split('/').at(-1) ?? null;
}

/** Returns a schema without the alternative null, and whether it has that alternative. */
export function withoutNull(schema: Schema): { readonly schema: Schema; readonly isNullable: boolean } {
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    const [type, ...more] = schema.type.filter((one) => one !== 'null');
    if (more.length === 0) return { schema: { ...schema, type }, isNullable: true };
  }
  const { anyOf, ...rest } = schema;
  const [first, ...others] = (anyOf ?? []).filter(({ type }) => type !== 'null');
  if (first === undefined || anyOf?.length === others.length + 1) return { schema, isNullable: false };
  return {
    schema: others.length === 0 ? { ...rest, ...first } : { ...rest, anyOf: [first, ...others] },
    isNullable: true,
  };
}

/** Returns a schema without bounds, patterns and defaults of its values, which matter in requests only. */
export function withoutBounds(schema: Schema): Schema {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    bounds.has(key) && !isSchema(value) ? undefined : value,
  );
  return JSON.parse(text);
}

const bounds = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'pattern', 'default']);

/** Returns true for a schema: a field may have the name of a bound. */
function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('type' in value || 'anyOf' in value || '$ref' in value);
}
