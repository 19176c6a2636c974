import type { RouteGroups } from '../route/route.ts';
import { errorSchemas } from './error-schema.ts';
import { type JsonSchema, JsonSchemas } from './json-schemas.ts';
import { describeOperation, tagOf } from './operation.ts';
import { sharedParts } from './shared-parts.ts';
import { describeWebhooks } from './webhooks.ts';

/** @see OpenAPI Specification 3.1.1 §4.8.1 */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: JsonSchema;
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly JsonSchema[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, JsonSchema>>;
  readonly webhooks: Readonly<Record<string, JsonSchema>>;
  readonly components: JsonSchema;
}

/**
 * Describes the routes as an OpenAPI 3.1 document.
 * @param options.url base URL of the API, up to and including `/api/v1`
 * @example openapi(routes, { url: 'https://example.com/voice/api/v1' })
 */
export function openapi(groups: RouteGroups, options: { readonly url?: string } = {}): OpenApiDocument {
  const schemas = new JsonSchemas();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [group, named] of Object.entries(groups)) {
    for (const [name, route] of Object.entries(named)) {
      const operation = describeOperation(group, name, route, schemas);
      [route.path, ...route.aliases].forEach((path, n) => {
        const key = path.replace(/:(\w+)/g, '{$1}');
        const described = n === 0 ? operation : { ...operation, operationId: `${operation.operationId}Alias${n}` };
        paths[key] = { ...paths[key], [route.method.toLowerCase()]: described };
      });
    }
  }
  return schemas.resolve({
    openapi: '3.1.1',
    info: { title: 'Voice agents', version: '1.0.0', description: 'Voice agents that answer and place phone calls.' },
    servers: [{ url: options.url ?? '/api/v1' }],
    security: [{ bearer: [] }],
    tags: Object.keys(groups).map((group) => ({ name: tagOf(group) })),
    paths,
    webhooks: describeWebhooks(schemas),
    components: { ...sharedParts, schemas: { ...schemas.components(), ...errorSchemas } },
  });
}
