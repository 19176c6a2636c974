import type { StandardSchemaV1 } from '@standard-schema/spec';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonSchemaOf } from '../../src/tools/parameters-schema.ts';
import { untyped } from '../support/untyped.ts';

/** A validator that is not of zod; `input` converts it to a JSON Schema. */
function validator(input?: (options: { readonly target: string }) => Record<string, unknown>): StandardSchemaV1 {
  const standard = { version: 1, vendor: 'other', validate: (value: unknown) => ({ value }) };
  return untyped({ '~standard': input === undefined ? standard : { ...standard, jsonSchema: { input } } });
}

describe('jsonSchemaOf', () => {
  it('prefers the given schema to that of the validator', () => {
    const given = { type: 'object', properties: { people: { type: 'integer' } } };
    expect(jsonSchemaOf('find', z.object({ other: z.string() }), given)).toEqual(given);
  });

  it('requests draft 7 from a validator that converts itself', () => {
    const schema = validator(({ target }) => ({ type: 'object', title: target }));
    expect(jsonSchemaOf('find', schema, undefined)).toEqual({ type: 'object', title: 'draft-07' });
  });

  it('describes what the model writes, not what the tool receives', () => {
    const schema = z.object({ day: z.string().default('today') });
    expect(jsonSchemaOf('find', schema, undefined)).toEqual({
      type: 'object',
      properties: { day: { type: 'string', default: 'today' } },
    });
  });

  it('omits the dialect', () => {
    const given = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' };
    expect(jsonSchemaOf('find', validator(), given)).toEqual({ type: 'object' });
  });

  it.each<[string, StandardSchemaV1, Record<string, unknown> | undefined, RegExp]>([
    ['a given schema of another type', validator(), { type: 'array' }, /find are not an object/],
    ['a converted schema without a type', validator(() => ({})), undefined, /find are not an object/],
    ['a validator that cannot convert itself', validator(), undefined, /pass it as jsonSchema/],
    [
      'a conversion that fails',
      validator(() => {
        throw new Error('dates have no JSON Schema');
      }),
      undefined,
      /have no JSON Schema: dates have no JSON Schema/,
    ],
  ])('refuses %s', (_what, schema, given, message) => {
    const convert = (): unknown => jsonSchemaOf('find', schema, given);
    expect(convert).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    expect(convert).toThrow(message);
  });
});
