import { createVoiceAgents, defineTool } from '@va/core';
import { memory } from '@va/storage/memory';
import { ScriptedWebhooks } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const base = { name: 'find_table', description: 'Finds a table.', execute: () => null };
const people = z.object({ people: z.coerce.number().int() });

describe('defineTool', () => {
  it('takes the JSON Schema of the arguments from the validator, without its dialect', () => {
    const { parameters } = defineTool({ ...base, parameters: people });
    expect(parameters).toEqual({
      type: 'object',
      properties: { people: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 } },
      required: ['people'],
    });
  });

  it('accepts a validator without a JSON Schema if the tool has one', () => {
    const silent = { '~standard': { version: 1, vendor: 'other', validate: (value: unknown) => ({ value }) } } as const;
    const jsonSchema = { type: 'object', properties: {} };
    expect(defineTool({ ...base, parameters: silent, jsonSchema }).parameters).toEqual(jsonSchema);
    expect(() => defineTool({ ...base, parameters: silent })).toThrow(/pass it as jsonSchema/);
  });

  it.each([
    ['a name with a space', { name: 'find table' }],
    ['the name of a built-in tool', { name: 'endCall' }],
    ['no time to answer', { timeoutMs: 0 }],
    ['more than ten minutes', { timeoutMs: 600_001 }],
    ['arguments that are no object', { parameters: z.string() }],
    ['arguments that JSON Schema cannot express', { parameters: z.object({ at: z.date() }) }],
  ])('refuses %s', (_what, wrong) => {
    const define = (): unknown => defineTool<z.ZodType>({ ...base, parameters: people, ...wrong });
    expect(define).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  });
});

it('a service refuses two tools of one name', () => {
  const tool = defineTool({ ...base, parameters: people });
  const create = (): unknown =>
    createVoiceAgents({ storage: memory(), providers: [], webhooks: new ScriptedWebhooks(), tools: [tool, tool] });
  expect(create).toThrow(expect.objectContaining({ code: 'duplicate_tool' }));
});
