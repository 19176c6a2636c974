import { describe, expect, it } from 'vitest';
import { faultsOf, orgId, otherOrgId, refusal, testOperations } from './support.ts';

describe('tool templates', () => {
  it('return the configuration as written, and are listed, updated and deleted', async () => {
    const { operations, clock } = testOperations();
    const tool_config = { function: { name: 'book', parameters: { type: 'object', properties: { b: {}, a: {} } } } };
    const made = await operations.toolTemplates.create(orgId, { name: 'Book', tool_type: 'function', tool_config });
    expect(made).toMatchObject({ org_id: orgId, name: 'Book', description: null, tool_type: 'function', tool_config });
    expect(await operations.toolTemplates.get(orgId, made.id)).toEqual(made);
    expect(await operations.toolTemplates.list(orgId)).toEqual([made]);
    expect(await operations.toolTemplates.list(otherOrgId)).toEqual([]);
    await clock.advance(5);
    const changed = await operations.toolTemplates.update(orgId, made.id, { description: 'Books a table' });
    expect(changed).toEqual({ ...made, description: 'Books a table', updated_at: '2026-01-01T09:00:00.005Z' });
    await operations.toolTemplates.delete(orgId, made.id);
    expect((await refusal(operations.toolTemplates.get(orgId, made.id))).code).toBe('tool_template_not_found');
  });

  it.each([
    ['endCall', {}],
    ['endCall', { message: 'Bye' }],
    ['function', { name: 'book', url: 'https://example.com/book' }],
    ['transferCall', { destinations: [{ type: 'number', number: '+31612345678' }] }],
  ] as const)('of type %s accept the configuration %j', async (tool_type, tool_config) => {
    const { operations } = testOperations();
    await operations.toolTemplates.create(orgId, { name: 'T', tool_type, tool_config });
  });

  it.each([
    ['function', {}, 'tool_config.name missing_field'],
    ['function', { name: 'with space' }, 'tool_config.name invalid_field'],
    ['transferCall', {}, 'tool_config.destinations missing_field'],
    ['transferCall', { destinations: [] }, 'tool_config.destinations invalid_field'],
  ] as const)('of type %s refuse the configuration %j', async (tool_type, tool_config, fault) => {
    const { operations } = testOperations();
    const error = await refusal(operations.toolTemplates.create(orgId, { name: 'T', tool_type, tool_config }));
    expect([error.status, ...faultsOf(error)]).toEqual([400, fault]);
  });

  it('refuse a change of type that their configuration does not fit', async () => {
    const { operations } = testOperations();
    const made = await operations.toolTemplates.create(orgId, { name: 'T', tool_type: 'endCall', tool_config: {} });
    const changing = operations.toolTemplates.update(orgId, made.id, { tool_type: 'function' });
    expect(faultsOf(await refusal(changing))).toEqual(['tool_config.name missing_field']);
    expect(await operations.toolTemplates.get(orgId, made.id)).toEqual(made);
  });
});

describe('analysis templates', () => {
  const written = {
    name: 'Interest',
    system_prompt: 'You analyse calls.',
    user_prompt: 'Transcript: {transcript}',
    schema: { type: 'object', properties: { interested: { type: 'boolean' } } },
  };

  it('are created, listed in pages, updated and deleted', async () => {
    const { operations } = testOperations();
    const made = await operations.analysisTemplates.create(orgId, written);
    expect(made).toMatchObject({ ...written, org_id: orgId, description: null, is_active: true });
    for (let n = 0; n < 50; n += 1) await operations.analysisTemplates.create(orgId, written);
    const listed = await operations.analysisTemplates.list(orgId);
    expect(listed.pagination).toEqual({ total: 51, limit: 50, offset: 0 });
    expect(listed.analysis_templates).toHaveLength(50);
    const last = await operations.analysisTemplates.list(orgId, { offset: '50' });
    expect(last.analysis_templates).toHaveLength(1);
    const changed = await operations.analysisTemplates.update(orgId, made.id, { is_active: false, description: 'x' });
    expect(changed).toMatchObject({ ...written, is_active: false, description: 'x' });
    await operations.analysisTemplates.delete(orgId, made.id);
    const again = await refusal(operations.analysisTemplates.delete(orgId, made.id));
    expect(again.code).toBe('analysis_template_not_found');
  });

  it('refuse a page size over 100', async () => {
    const { operations } = testOperations();
    expect((await refusal(operations.analysisTemplates.list(orgId, { limit: '101' }))).status).toBe(400);
  });

  it.each([
    [{ type: 'array' }, 'schema.type'],
    [{}, 'schema.type'],
    [{ type: 'object', properties: 7 }, 'schema.properties'],
    [{ type: 'object', properties: { a: { type: 'colour' } } }, 'schema.properties.a.type'],
    [{ type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } }, 'schema'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', required: 'a' }, 'schema.required'],
    [{ $schema: { toString: 1 }, type: 'object' }, 'schema'],
  ])('refuse the schema %j', async (schema, path) => {
    const { operations } = testOperations();
    const error = await refusal(operations.analysisTemplates.create(orgId, { ...written, schema }));
    expect(error.faults[0]).toMatchObject({ path, code: 'invalid_field' });
    const made = await operations.analysisTemplates.create(orgId, written);
    const changing = operations.analysisTemplates.update(orgId, made.id, { schema });
    expect((await refusal(changing)).faults[0]?.path).toBe(path);
  });
});
