import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { component, components } from '../../src/route/components.ts';
import { defineOpenRawRoute, defineOpenRoute, defineRawRoute, defineRoute } from '../../src/route/define-route.ts';
import { anyScope, type Route, type ScopedRequest, takesIdempotencyKey } from '../../src/route/route.ts';
import { pageQuery } from '../../src/route/shared-schemas.ts';

const thing = z.object({ id: z.string() });
const common = { path: '/things/:id', summary: 'A thing' } as const;
const request = { params: { id: 'a' }, query: {}, body: { id: 'b' } } as unknown as ScopedRequest;
const raw = { content: [{ status: 200, description: 'It.', mediaType: 'text/csv' }] } as const;

describe('a JSON route', () => {
  const define = (more: object = {}) =>
    defineRoute({
      ...common,
      method: 'POST',
      scope: 'things:write',
      result: thing,
      run: async ({ params }) => ({ id: params.id }),
      ...more,
    });

  it.each([
    ['the result itself, with status 200', {}, { status: 200, json: { id: 'a' }, location: null }],
    ['the result under its key', { wrap: 'thing' }, { status: 200, json: { thing: { id: 'a' } }, location: null }],
    ['its own status', { status: 201 }, { status: 201, json: { id: 'a' }, location: null }],
    [
      'a status that depends on the result',
      { status: { anyOf: [201, 202], of: ({ id }: { id: string }) => (id === 'a' ? 202 : 201) } },
      { status: 202, json: { id: 'a' }, location: null },
    ],
    [
      'the path of the new resource',
      { location: ({ id }: { id: string }) => `/things/${id}` },
      { status: 200, json: { id: 'a' }, location: '/things/a' },
    ],
  ])('returns %s', async (_name, more, response) => {
    expect(await define(more).handle(request)).toEqual(response);
  });

  it('describes all statuses, and whether it names a location', () => {
    expect(define({ status: { anyOf: [201, 202], of: () => 201 } }).statuses).toEqual([201, 202]);
    expect([define().hasLocation, define({ location: () => '/x' }).hasLocation]).toEqual([false, true]);
  });

  it('describes its response under its key', () => {
    expect(define({ wrap: 'thing' }).responseSchema?.safeParse({ thing: { id: 'a' } }).success).toBe(true);
    expect(define({ wrap: 'thing' }).responseSchema?.safeParse({ id: 'a' }).success).toBe(false);
  });

  it('has no aliases, schemas, errors, secrets or access for pages by default', () => {
    expect(define()).toMatchObject({
      ...{ aliases: [], description: null, query: null, body: null, errors: {} },
      ...{ secret: false, showsSecrets: false, admitsPages: false },
    });
  });

  it('passes the parameters of its path to its limit', () => {
    const limited = define({
      limit: ({ params }: { params: { id: string } }) => ({ name: 'control', key: params.id }),
    });
    expect(limited.limit?.({ params: { id: 'a' } })).toEqual({ name: 'control', key: 'a' });
    expect(define().limit).toBeUndefined();
  });

  it('rejects with the error of its operation', async () => {
    const failing = define({ run: () => Promise.reject(new Error('no')) });
    await expect(failing.handle(request)).rejects.toThrow('no');
  });
});

describe('a raw route', () => {
  it('returns what it creates, and describes each status once', async () => {
    const response = { status: 200, headers: {}, body: 'a,b' };
    const content = [...raw.content, { status: 206, description: 'A part.', mediaType: 'text/csv' }, ...raw.content];
    const route = defineRawRoute({
      ...common,
      method: 'GET',
      scope: 'things:read',
      content: content as [(typeof content)[number], ...typeof content],
      run: async () => response,
    });
    expect(await route.handle(request)).toBe(response);
    expect([route.statuses, route.responseSchema, route.hasLocation]).toEqual([[200, 206], null, false]);
  });

  it('keeps the limit over all clients of an open route', () => {
    const limit = () => ({ name: 'description', key: '' }) as const;
    const open = {
      ...common,
      ...raw,
      method: 'GET',
      scope: null,
      run: async () => ({ status: 200, headers: {}, body: '' }),
    } as const;
    expect(defineOpenRawRoute({ ...open, limit }).limit?.({ params: {} })).toEqual({ name: 'description', key: '' });
    expect(defineOpenRawRoute(open)).not.toHaveProperty('limit');
  });
});

describe('takesIdempotencyKey', () => {
  const result = z.null();
  const run = async (): Promise<null> => null;
  const routes: readonly [string, Route, boolean][] = [
    ['a POST with a key', defineRoute({ ...common, method: 'POST', scope: anyScope, result, run }), true],
    ['a PATCH', defineRoute({ ...common, method: 'PATCH', scope: 'x', result, run }), false],
    ['a DELETE', defineRoute({ ...common, method: 'DELETE', scope: 'x', result, run }), false],
    ['an open POST', defineOpenRoute({ ...common, method: 'POST', scope: null, result, run }), false],
    [
      'a POST that returns bytes',
      defineRawRoute({
        ...common,
        ...raw,
        method: 'POST',
        scope: 'x',
        run: async () => ({ status: 200, headers: {}, body: '' }),
      }),
      false,
    ],
  ];

  it.each(routes)('decides for %s by its method, scope and response', (_name, route, expected) => {
    expect(takesIdempotencyKey(route)).toBe(expected);
  });
});

describe('named schemas', () => {
  it('keep their name, also when they are named again', () => {
    const schema = z.object({});
    expect(component('A test schema', schema)).toBe(schema);
    expect(component('A test schema', schema)).toBe(schema);
    expect(components.get(schema)?.id).toBe('A test schema');
  });

  it('cannot share a name', () => {
    component('Another test schema', z.object({}));
    expect(() => component('Another test schema', z.object({}))).toThrow('Two schemas have the name');
  });
});

describe('pageQuery', () => {
  const query = pageQuery({ defaultLimit: 10, maxLimit: 50 }, { status: z.string().optional() });

  it.each([{}, { limit: 1 }, { limit: 50, offset: 0 }, { offset: 2_147_483_647, status: 'x' }])(
    'accepts %j',
    (value) => {
      expect(query.safeParse(value).success).toBe(true);
    },
  );

  it.each([{ limit: 0 }, { limit: 51 }, { limit: 1.5 }, { offset: -1 }, { offset: 2_147_483_648 }, { other: 1 }])(
    'refuses %j',
    (value) => {
      expect(query.safeParse(value).success).toBe(false);
    },
  );
});
