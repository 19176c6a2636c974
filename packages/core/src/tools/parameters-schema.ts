import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { z } from 'zod';
import { toError, VaError } from '../errors.ts';

/**
 * Returns the JSON Schema of the arguments, for the model: the given one, else that of the validator.
 * @throws VaError `invalid_options`
 */
export function jsonSchemaOf(
  tool: string,
  schema: StandardSchemaV1,
  given: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> {
  const written = given ?? converted(tool, schema);
  if (written.type !== 'object') {
    throw new VaError('invalid_options', `The parameters of the tool ${tool} are not an object.`);
  }
  const { $schema: _dialect, ...parameters } = written;
  return parameters;
}

function converted(tool: string, schema: StandardSchemaV1): Record<string, unknown> {
  try {
    if (convertsItself(schema)) return schema['~standard'].jsonSchema.input({ target: 'draft-07' });
    // The method is younger than version 4 of zod.
    if (schema instanceof z.ZodType) return z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
  } catch (thrown) {
    throw new VaError(
      'invalid_options',
      `The parameters of the tool ${tool} have no JSON Schema: ${toError(thrown).message}`,
      { cause: thrown },
    );
  }
  throw new VaError(
    'invalid_options',
    `The validator of the tool ${tool} does not tell its JSON Schema: pass it as jsonSchema.`,
  );
}

function convertsItself(schema: StandardSchemaV1): schema is StandardSchemaV1 & StandardJSONSchemaV1 {
  return 'jsonSchema' in schema['~standard'];
}
