import { Validator } from '@seriousme/openapi-schema-validator';
import { callEventTypes } from '@va/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createHandler } from '../src/create-handler.ts';
import { openapi } from '../src/openapi/document.ts';
import { component } from '../src/route/components.ts';
import { defineRoute } from '../src/route/define-route.ts';
import { routes } from '../src/routes/routes.ts';
import { createTestHost } from './support/host.ts';
import { Probe, probeRoutes } from './support/probe-routes.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON
type Json = any;

async function validate(document: object): Promise<unknown> {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  return valid ? 'valid' : errors;
}

/** Returns the references of a document, and those that do not resolve. */
function danglingRefs(document: Json): string[] {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
  expect(refs.length).toBeGreaterThan(0);
  return refs.filter((path) => path.split('/').reduce<Json>((at, key) => at?.[key], document) === undefined);
}

describe('the description of the API', () => {
  const document: Json = openapi(routes);

  it('is valid OpenAPI 3.1, and every reference resolves', async () => {
    for (const one of [document, openapi(probeRoutes(new Probe()))]) {
      expect(await validate(one)).toBe('valid');
      expect(danglingRefs(one)).toEqual([]);
    }
  });

  it('describes the webhooks and their responses', () => {
    expect(Object.keys(document.webhooks)).toEqual([
      ...['assistant-request', 'tool-calls', 'status-update', 'end-of-call-report', 'campaign-update', 'test'],
    ]);
    const { requestBody, responses } = document.webhooks['tool-calls'].post;
    const { message } = requestBody.content['application/json'].schema.properties;
    expect(message.properties.toolCallList.items.properties.function.required).toEqual(['name', 'arguments']);
    expect(responses['2XX'].content['application/json'].schema.anyOf).toHaveLength(3);
  });

  it('describes the events of call streams by type', () => {
    const streams = ['/calls/{id}/events', '/events'].map((path) => document.paths[path].get.responses['200'].content);
    for (const content of streams) {
      expect(content['text/event-stream'].schema).toEqual({ $ref: '#/components/schemas/CallEvent' });
    }
    const written = JSON.stringify(document.components.schemas.CallEvent);
    for (const type of callEventTypes) expect(written).toContain(`"const":"${type}"`);
    for (const field of ['end_reason', 'interrupted', 'arguments', 'durationMs', 'endpointing_ms', 'destination']) {
      expect(written).toContain(`"${field}"`);
    }
  });

  it('has every route, each with a unique operation id', () => {
    const ids: string[] = [];
    for (const [group, named] of Object.entries(routes)) {
      for (const [name, route] of Object.entries(named)) {
        const operation = document.paths[route.path.replace(/:(\w+)/g, '{$1}')][route.method.toLowerCase()];
        expect(operation.operationId).toBe(`${group}${name[0]?.toUpperCase()}${name.slice(1)}`);
        ids.push(operation.operationId);
      }
    }
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('includes the descriptions of schemas', () => {
    const dryRun = document.paths['/campaigns/{id}/leads/import'].post.parameters.find(
      (parameter: Json) => parameter.name === 'dry_run',
    );
    expect(JSON.stringify(dryRun)).toContain('Validates and counts without storing anything.');
  });

  it('describes parameters, bodies, responses, errors and headers', () => {
    const get = document.paths['/agents/{id}'].get;
    expect(get.parameters[0]).toEqual({ name: 'id', in: 'path', required: true, schema: { type: 'string' } });
    expect(document.security).toEqual([{ bearer: [] }]);
    expect(get).not.toHaveProperty('security');
    expect(get['x-required-scope']).toBe('agents:read');
    expect(get.responses['200'].content['application/json'].schema.properties.agent).toEqual({
      $ref: '#/components/schemas/Agent',
    });
    expect(Object.keys(get.responses)).toEqual(['200', '304', '400', '401', '403', '404', '429', '500', '503']);
    expect(Object.keys(get.responses['200'].headers)).toEqual(
      expect.arrayContaining(['X-Request-Id', 'X-RateLimit-Limit', 'ETag']),
    );
    const notFound = get.responses['404'];
    expect(notFound.description).toContain('`agent_not_found`');
    expect(Object.keys(notFound.content)).toEqual(['application/json', 'application/problem+json']);

    const create = document.paths['/agents'].post;
    expect(create.requestBody.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/NewAgent' });
    expect(create.responses['201'].headers).toHaveProperty('Location');
    expect(create.parameters).toEqual([{ $ref: '#/components/parameters/Idempotency-Key' }]);
    expect(Object.keys(create.responses)).toEqual(expect.arrayContaining(['400', '409', '413', '415', '422']));

    const limit = document.paths['/calls'].get.parameters.find(({ name }: Json) => name === 'limit');
    expect(limit).toMatchObject({
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 1_000 },
    });
    const recording = document.paths['/calls/{id}/recording'].get;
    expect(recording.responses['206'].content).toEqual({ 'audio/wav': {} });
    expect(recording.responses).toHaveProperty('416');
    expect(document.paths['/health'].get).toMatchObject({
      security: [],
      responses: { 503: { description: 'Service Unavailable' } },
    });
  });

  it('requires only the fields without defaults in requests, and all fields in responses', () => {
    const { NewAgent, Agent } = document.components.schemas;
    expect(NewAgent.required).toEqual(['name']);
    expect(Agent.required).toEqual(expect.arrayContaining(['id', 'webhook_secret', 'created_at']));
    expect(NewAgent.additionalProperties).toBe(false);
    expect(Agent).not.toHaveProperty('additionalProperties');
  });

  it('has two schemas for a name whose input and output differ', () => {
    const inner = component('TestInner', z.object({ kind: z.string().default('x') }));
    const outer = component('TestOuter', z.object({ inner }));
    const same = component('TestSame', z.object({ a: z.string() }));
    const echo = defineRoute({
      method: 'POST',
      path: '/echo',
      scope: 'x',
      summary: 'Echo',
      body: z.object({ outer, same }),
      result: z.object({ outer, same }),
      run: async () => ({ outer: { inner: { kind: 'x' } }, same: { a: '' } }),
    });
    const described: Json = openapi({ x: { echo } });
    const { schemas } = described.components;
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['TestInner', 'TestInnerInput', 'TestOuter', 'TestOuterInput', 'TestSame']),
    );
    expect(schemas).not.toHaveProperty('TestSameInput');
    expect(schemas.TestOuterInput.properties.inner).toEqual({ $ref: '#/components/schemas/TestInnerInput' });
    expect(schemas.TestOuter.properties.inner).toEqual({ $ref: '#/components/schemas/TestInner' });
    expect(schemas.TestInner.required).toEqual(['kind']);
    expect(schemas.TestInnerInput).not.toHaveProperty('required');
    expect(danglingRefs(described)).toEqual([]);
    expect(() => component('TestSame', z.object({}))).toThrow('TestSame');
  });

  it("leaves the host's schemas and zod's registry unchanged", () => {
    expect(z.globalRegistry.get(z.object({}))).toBeUndefined();
    expect(document.components.schemas.Agent).not.toHaveProperty('id');
    expect(Object.keys(z.ZodType.prototype ?? {})).not.toContain('openapi');
  });

  it('is served without a key, with the path of the mount', async () => {
    const { host } = await createTestHost();
    const handler = createHandler(host, { basePath: '/voice' });
    const request = new Request('http://x/voice/api/v1/openapi.json');
    const response = await handler.fetch(request);
    const served: Json = await response.json();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(served.servers).toEqual([{ url: '/voice/api/v1' }]);
    expect(served.paths).toHaveProperty('/openapi.json');
    expect(served.paths).toHaveProperty('/agents/{id}');
    expect(served.paths).toHaveProperty('/health/live');
    expect(served.paths).toHaveProperty('/health/ready');
    expect(await validate(served)).toBe('valid');
    const etag = response.headers.get('etag') ?? '';
    const known = await handler.fetch(new Request(request, { headers: { 'if-none-match': etag } }));
    expect(known.status).toBe(304);
  });
});
