import { type FieldFault, VaError } from '../errors.ts';
import { boundedPattern } from './bounded-pattern.ts';

const maxFaults = 20;

/**
 * What is wrong with a JSON Schema of type object, as faults below `path`; none where it is valid. It is read as draft
 * 2020-12, or as draft 7 where its `$schema` says so. References to elsewhere are refused: nothing is fetched.
 */
export async function faultsOfSchema(schema: Readonly<Record<string, unknown>>, path: string): Promise<FieldFault[]> {
  const fault = (at: string, message: string): FieldFault => ({ path: at, code: 'invalid_field', message });
  if (schema.type !== 'object') return [fault(`${path}.type`, 'expected "object"')];
  const reference = remoteReference(schema);
  if (reference !== null)
    return [fault(path, `refers to ${reference}: only references within the schema are followed`)];
  const ajv = await createAjv(isDraft7(schema));
  try {
    if (ajv.validateSchema(schema)) return [];
  } catch (error) {
    return [fault(path, error instanceof Error ? error.message : String(error))];
  }
  return (ajv.errors ?? []).map(({ instancePath, message }) =>
    fault(`${path}${instancePath.replaceAll('/', '.')}`, message ?? 'is not a valid JSON Schema'),
  );
}

/** What of a value does not fit the schema, in words; empty where all does. */
export type SchemaCheck = (value: unknown) => string[];

/**
 * Makes a check of the schema. Its patterns are given little time each, so that no expression holds the process up.
 * @throws VaError `invalid_schema`
 */
export async function schemaCheck(schema: Readonly<Record<string, unknown>>): Promise<SchemaCheck> {
  const [fault] = await faultsOfSchema(schema, 'schema');
  if (fault !== undefined) throw new VaError('invalid_schema', `${fault.path}: ${fault.message}`);
  const ajv = await createAjv(isDraft7(schema), { allErrors: true, code: { regExp: boundedPattern } });
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).slice(0, maxFaults).map(describe));
}

function describe({ instancePath, message }: import('ajv').ErrorObject): string {
  return `${instancePath === '' ? 'the object' : instancePath} ${message ?? 'does not fit'}`;
}

function isDraft7({ $schema: dialect }: Readonly<Record<string, unknown>>): boolean {
  return typeof dialect === 'string' && dialect.includes('draft-07');
}

type SchemaValidator = import('ajv').Ajv;

/** Loaded when it is first needed: it is not small. */
async function createAjv(isDraft7: boolean, more: import('ajv').Options = {}): Promise<SchemaValidator> {
  const options = { strict: false, validateFormats: false, logger: false, ...more } as const;
  if (isDraft7) return new (await import('ajv')).Ajv(options);
  return new (await import('ajv/dist/2020.js')).Ajv2020(options);
}

function remoteReference(schema: unknown): string | null {
  if (typeof schema !== 'object' || schema === null) return null;
  for (const [key, value] of Object.entries(schema)) {
    if ((key === '$ref' || key === '$dynamicRef') && typeof value === 'string' && !value.startsWith('#')) return value;
    const inner = remoteReference(value);
    if (inner !== null) return inner;
  }
  return null;
}
