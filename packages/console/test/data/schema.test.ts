// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { type FormSchema, isNullable, present, schemaAt } from '../../src/app/data/schema.ts';

const nullable = (schema: FormSchema): FormSchema => ({ description: 'outer', anyOf: [schema, { type: 'null' }] });

describe('present', () => {
  it('merges the single non-null alternative into the schema', () => {
    expect(present(nullable({ type: 'integer', minimum: 1 }))).toMatchObject({
      type: 'integer',
      minimum: 1,
      description: 'outer',
    });
  });

  it('keeps a union of several alternatives, and a schema without alternatives', () => {
    const union: FormSchema = { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] };
    expect(present(union)).toBe(union);
    const plain: FormSchema = { type: 'string' };
    expect(present(plain)).toBe(plain);
  });
});

it.each([
  [{ type: 'string' }, false],
  [nullable({ type: 'string' }), true],
  [{ anyOf: [] }, false],
])('isNullable › of %j is %j', (schema, expected) => {
  expect(isNullable(schema)).toBe(expected);
});

describe('schemaAt', () => {
  const agent: FormSchema = {
    properties: { llm: nullable({ properties: { temperature: { type: 'number' }, tools: { type: 'array' } } }) },
  };

  it.each([
    ['llm.temperature', 'number'],
    ['llm.tools', 'array'],
    ['llm.unknown', undefined],
    ['unknown.temperature', undefined],
    ['llm.temperature.x', undefined],
  ])('finds %j through nullable objects', (path, type) => {
    expect(schemaAt(agent, path)?.type).toBe(type);
  });
});
