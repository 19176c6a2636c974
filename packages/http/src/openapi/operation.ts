import { STATUS_CODES } from 'node:http';
import type { z } from 'zod';
import { type Route, takesIdempotencyKey } from '../route/route.ts';
import { describeError, errorCodes } from './error-codes.ts';
import type { JsonSchema, JsonSchemas } from './json-schemas.ts';

/** Describes one operation. */
export function describeOperation(group: string, name: string, route: Route, schemas: JsonSchemas): JsonSchema {
  const parameters = [
    ...[...route.path.matchAll(/:(\w+)/g)].map(([, param = '']) => pathParameter(param)),
    ...(route.query === null ? [] : queryParameters(route.query, schemas)),
    ...headerParameters(route),
  ];
  const good =
    route.responseSchema === null ? rawResponses(route, schemas) : jsonResponses(route, route.responseSchema, schemas);
  const errors = [...errorCodes(route)].map(([status, codes]) => [String(status), describeError(status, codes)]);
  return {
    operationId: `${group}${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`,
    tags: [tagOf(group)],
    summary: route.summary,
    ...(route.description === null ? {} : { description: route.description }),
    ...(route.scope === null ? { security: [] } : { 'x-required-scope': route.scope }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === null ? {} : { requestBody: { required: true, content: requestContent(route.body, schemas) } }),
    responses: { ...Object.fromEntries(errors), ...good },
  };
}

/** Converts a group name to a tag: `toolTemplates` to `Tool templates`. */
export function tagOf(group: string): string {
  const words = group.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}

function pathParameter(name: string): JsonSchema {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function queryParameters(query: z.ZodType, schemas: JsonSchemas): JsonSchema[] {
  const { properties, required } = schemas.write(query, 'input');
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: names.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function headerParameters(route: Route): JsonSchema[] {
  const refs: string[] = [];
  if (takesIdempotencyKey(route)) refs.push('Idempotency-Key');
  if (hasEtag(route)) refs.push('If-None-Match');
  if (route.statuses.includes(206)) refs.push('Range');
  return refs.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function requestContent(body: NonNullable<Route['body']>, schemas: JsonSchemas): JsonSchema {
  if (!('kinds' in body)) return { 'application/json': { schema: schemas.write(body, 'input') } };
  const form = { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } };
  const contents = body.kinds.map((kind) => [kind, kind === 'multipart/form-data' ? { schema: form } : {}]);
  return Object.fromEntries(contents);
}

function jsonResponses(route: Route, schema: z.ZodType, schemas: JsonSchemas): JsonSchema {
  const content = { 'application/json': { schema: schemas.write(schema, 'output') } };
  const responses = route.statuses.map((status) => [
    String(status),
    { description: STATUS_CODES[status] ?? 'Good', headers: responseHeaders(route), content },
  ]);
  return { ...Object.fromEntries(responses), ...(hasEtag(route) ? { '304': notModified } : {}) };
}

function rawResponses(route: Route, schemas: JsonSchemas): JsonSchema {
  const responses = route.content.map(({ status, description, mediaType, schema }) => [
    String(status),
    {
      description,
      headers: responseHeaders(route),
      ...(mediaType === null
        ? {}
        : { content: { [mediaType]: schema === undefined ? {} : { schema: schemas.write(schema, 'output') } } }),
    },
  ]);
  return Object.fromEntries(responses);
}

const notModified: JsonSchema = {
  description: "The client's representation is current.",
  headers: { ETag: { $ref: '#/components/headers/ETag' } },
};

function responseHeaders(route: Route): JsonSchema {
  const names = ['X-Request-Id'];
  if (route.scope !== null) names.push('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset');
  if (route.hasLocation) names.push('Location');
  if (hasEtag(route)) names.push('ETag');
  if (takesIdempotencyKey(route)) names.push('Idempotent-Replayed');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function hasEtag(route: Route): boolean {
  return route.method === 'GET' && route.responseSchema !== null && !route.secret;
}
