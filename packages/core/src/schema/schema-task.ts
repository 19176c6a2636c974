import type { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv';
import type { FieldFault } from '../errors.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** Task of the schema worker: `judge` validates a schema, `check` validates a value against a schema. */
export type SchemaTask =
  | { readonly type: 'judge'; readonly schema: Schema; readonly path: string }
  | { readonly type: 'check'; readonly schema: Schema; readonly value: unknown };

/**
 * Result of a task. `invalid_schema` has the faults of the schema itself; `misfit` describes where the value does not
 * fit. Both lists are bounded, as they are shown to tenants and models.
 */
export type SchemaResult =
  | { readonly type: 'valid' }
  | { readonly type: 'invalid_schema'; readonly faults: readonly FieldFault[] }
  | { readonly type: 'misfit'; readonly faults: readonly string[] };

const maxFaults = 20;
const maxMessageCharacters = 300;

/**
 * Judges a schema, or checks a value. The schema is read as draft 2020-12, or as draft 7 where its `$schema` says so.
 * May take exponential time: call it in a worker thread with a deadline.
 */
export async function runSchemaTask(task: SchemaTask): Promise<SchemaResult> {
  return prepareSchemaTask(await loadDialect(isDraft7(task.schema)), task);
}

/** Runs the part of a task that a tenant's schema can make slow; synchronously, so that a deadline can interrupt it. */
export function prepareSchemaTask(dialect: Dialect, task: SchemaTask): SchemaResult {
  const compiled = compile(dialect, task.schema, task.type === 'judge' ? task.path : 'schema');
  if (compiled.type === 'invalid_schema') return compiled;
  if (task.type === 'judge' || compiled.validate(task.value)) return { type: 'valid' };
  return { type: 'misfit', faults: (compiled.validate.errors ?? []).slice(0, maxFaults).map(describe) };
}

/** A draft of JSON Schema. */
export interface Dialect {
  /** Validates schemas against the metaschema, without caching them. */
  readonly meta: Ajv;
  /** Creates a compiler for one schema, because a compiler keeps the schemas that it compiled. */
  readonly createCompiler: () => Ajv;
}

const baseOptions: Options = { strict: false, validateFormats: false, logger: false, allErrors: true };
const compilerOptions: Options = { ...baseOptions, meta: false, validateSchema: false };

let draft7: Promise<Dialect> | null = null;
let draft2020: Promise<Dialect> | null = null;

/** Loads the validator on first use, as it is large and its metaschema takes some 100 ms to compile. */
export async function loadDialect(isOld: boolean): Promise<Dialect> {
  if (isOld) {
    draft7 ??= import('ajv').then(({ Ajv: Draft7 }) => dialectOf((options) => new Draft7(options)));
    return await draft7;
  }
  draft2020 ??= import('ajv/dist/2020.js').then(({ Ajv2020 }) => dialectOf((options) => new Ajv2020(options)));
  return await draft2020;
}

function dialectOf(create: (options: Options) => Ajv): Dialect {
  const meta = create(baseOptions);
  void meta.validateSchema({});
  return { meta, createCompiler: () => create(compilerOptions) };
}

export function isDraft7({ $schema: dialect }: Schema): boolean {
  return typeof dialect === 'string' && dialect.includes('draft-07');
}

type Compiled =
  | { readonly type: 'compiled'; readonly validate: ValidateFunction }
  | Extract<SchemaResult, { type: 'invalid_schema' }>;

function compile({ meta, createCompiler }: Dialect, schema: Schema, path: string): Compiled {
  const fault = (at: string, message: string): FieldFault => ({
    path: shortened(at),
    code: 'invalid_field',
    message: shortened(message),
  });
  try {
    if (meta.validateSchema(schema)) return { type: 'compiled', validate: createCompiler().compile(schema) };
  } catch (thrown) {
    // An unknown dialect, an unresolvable reference, or a pattern that is not a regular expression.
    return { type: 'invalid_schema', faults: [fault(path, thrown instanceof Error ? thrown.message : String(thrown))] };
  }
  const faults = (meta.errors ?? [])
    .slice(0, maxFaults)
    .map(({ instancePath, message }) =>
      fault(`${path}${instancePath.replaceAll('/', '.')}`, message ?? 'is not a valid JSON Schema'),
    );
  return { type: 'invalid_schema', faults };
}

function describe({ instancePath, message }: ErrorObject): string {
  return shortened(`${instancePath === '' ? 'the object' : instancePath} ${message ?? 'does not fit'}`);
}

function shortened(text: string): string {
  return text.length > maxMessageCharacters ? `${text.slice(0, maxMessageCharacters)}…` : text;
}
