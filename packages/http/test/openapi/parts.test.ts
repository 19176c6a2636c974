import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeError, errorCodes } from '../../src/openapi/error-codes.ts';
import { JsonSchemas } from '../../src/openapi/json-schemas.ts';
import { tagOf } from '../../src/openapi/operation.ts';
import { WrittenDescriptions } from '../../src/openapi/written-description.ts';
import { component } from '../../src/route/components.ts';
import { defineOpenRoute, defineRawRoute, defineRoute } from '../../src/route/define-route.ts';
import { takesIdempotencyKey } from '../../src/route/route.ts';

const result = z.object({ value: z.string() });
const get = { method: 'GET', path: '/x', summary: 'X', result } as const;
const post = { ...get, method: 'POST' } as const;
const content = [{ status: 200, description: 'It.', mediaType: 'text/csv' }] as const;
const run = async (): Promise<{ value: string }> => ({ value: '' });
const raw = async () => ({ status: 200, headers: {}, body: null });

describe('errorCodes', () => {
  it.each([
    ['a route without a key', defineOpenRoute({ ...get, scope: null, run }), [400, 500, 503]],
    ['a route with a key', defineRoute({ ...get, scope: 'x', run }), [400, 401, 403, 429, 500, 503]],
    [
      'a POST with a body',
      defineRoute({ ...post, scope: 'x', body: z.object({}), run }),
      [400, 401, 403, 409, 413, 415, 422, 429, 500, 503],
    ],
    ['errors of its own', defineOpenRoute({ ...get, scope: null, errors: { 404: ['a'] }, run }), [400, 404, 500, 503]],
    [
      'a successful 503',
      defineOpenRoute({ ...get, scope: null, status: { anyOf: [200, 503], of: () => 200 }, run }),
      [400, 500],
    ],
  ])('lists the statuses of %s', (_name, route, statuses) => {
    expect([...errorCodes(route).keys()]).toEqual(statuses);
  });

  it('lists each code once, those of the route after those that all such routes have', () => {
    const route = defineRoute({ ...post, scope: 'x', errors: { 409: ['taken', 'idempotency_in_progress'] }, run });
    expect(errorCodes(route).get(409)).toEqual(['idempotency_in_progress', 'taken']);
  });

  it('omits invalid_json for an upload', () => {
    const body = { kinds: ['text/csv'], maxBytes: 1 } as const;
    expect(errorCodes(defineRoute({ ...post, scope: 'x', body, run })).get(400)).not.toContain('invalid_json');
  });
});

describe('describeError', () => {
  it.each([
    [401, ['unauthorized'], ['X-Request-Id', 'WWW-Authenticate']],
    [429, ['rate_limit_exceeded'], ['X-Request-Id', 'Retry-After']],
    [503, ['unavailable'], ['X-Request-Id', 'Retry-After']],
    [409, ['idempotency_in_progress'], ['X-Request-Id', 'Retry-After']],
    [409, ['taken'], ['X-Request-Id']],
  ])('of %i %j has the headers %j', (status, codes, names) => {
    expect(Object.keys(Object(describeError(status, codes).headers))).toEqual(names);
  });
});

describe('takesIdempotencyKey', () => {
  it.each([
    ['a POST with JSON', defineRoute({ ...post, scope: 'x', run }), true],
    ['a GET', defineRoute({ ...get, scope: 'x', run }), false],
    ['a POST without a key', defineOpenRoute({ ...post, scope: null, run }), false],
    [
      'a POST with bytes',
      defineRawRoute({ method: 'POST', path: '/x', summary: 'X', content, scope: 'x', run: raw }),
      false,
    ],
  ])('decides for %s', (_name, route, expected) => {
    expect(takesIdempotencyKey(route)).toBe(expected);
  });
});

describe('tagOf', () => {
  it.each([
    ['agents', 'Agents'],
    ['toolTemplates', 'Tool templates'],
    ['doNotCall', 'Do not call'],
  ])('of %s is %s', (group, tag) => {
    expect(tagOf(group)).toBe(tag);
  });
});

describe('component', () => {
  it('refuses a second schema of the same name', () => {
    const schema = z.object({ a: z.string() });
    expect(component('PartsOnlyOnce', schema)).toBe(schema);
    expect(component('PartsOnlyOnce', schema)).toBe(schema);
    expect(() => component('PartsOnlyOnce', z.string())).toThrow('PartsOnlyOnce');
  });
});

describe('JsonSchemas', () => {
  it('describes fields with defaults as optional in requests and present in responses', () => {
    const schema = z.strictObject({ a: z.string().default('x') });
    const schemas = new JsonSchemas();
    expect(schemas.write(schema, 'input')).toMatchObject({ additionalProperties: false });
    expect(schemas.write(schema, 'input')).not.toHaveProperty('required');
    expect(schemas.write(schema, 'output')).toMatchObject({ required: ['a'] });
    expect(schemas.write(schema, 'output')).not.toHaveProperty('additionalProperties');
  });

  it('refers to a named schema, and names its input apart if that differs', () => {
    const named = component('PartsSplit', z.object({ a: z.string().default('x') }));
    const same = component('PartsSame', z.object({ a: z.string() }));
    const schemas = new JsonSchemas();
    const document = { in: schemas.write(z.array(named), 'input'), out: schemas.write(z.array(named), 'output') };
    schemas.write(z.array(same), 'input');
    schemas.write(z.array(same), 'output');
    expect(schemas.resolve(document)).toEqual({
      in: { type: 'array', items: { $ref: '#/components/schemas/PartsSplitInput' } },
      out: { type: 'array', items: { $ref: '#/components/schemas/PartsSplit' } },
    });
    expect(Object.keys(schemas.components())).toEqual(['PartsSame', 'PartsSplit', 'PartsSplitInput']);
  });
});

describe('WrittenDescriptions', () => {
  it('writes the document of a path once, and keeps the last eight', async () => {
    const written: string[] = [];
    const descriptions = new WrittenDescriptions((apiPath) => {
      written.push(apiPath);
      return { apiPath };
    });
    for (let n = 0; n < 8; n += 1) await descriptions.of(`/${n}`);
    const first = await descriptions.of('/0');
    expect(String(first.plain.body)).toBe('{"apiPath":"/0"}');
    expect(first.gzipped.etag).not.toBe(first.plain.etag);
    expect(written).toHaveLength(8);
    await descriptions.of('/8');
    await descriptions.of('/0');
    expect(written.slice(8)).toEqual(['/8', '/0']);
  });
});
