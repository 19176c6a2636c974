import { routes } from '@va/http';
import type { Route } from '@va/http/types';
import { z } from 'zod';

/** A route of the API as an MCP tool. */
export interface ApiTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly scope: string;
  readonly route: Pick<Route, 'method' | 'path' | 'query' | 'body'>;
}

/**
 * Groups of routes that become tools. Keys and provider keys do not, because a secret does not belong in a model's
 * context; nor do mail domains, which only the owner of a domain can set up.
 */
const groups = [
  'agents',
  'toolTemplates',
  'analysisTemplates',
  'calls',
  'campaigns',
  'leads',
  'doNotCall',
  'numbers',
  'voices',
  'usage',
  'statistics',
  'webhookDeliveries',
  'organizations',
] as const;

/** Tools of the API, by name: `agents_create` is `POST /agents`. */
export const apiTools: ReadonlyMap<string, ApiTool> = new Map(
  groups.flatMap((group) =>
    Object.entries<Route>(routes[group]).flatMap(([name, route]) => {
      const tool = toolOf(`${group}_${name}`, route);
      return tool === null ? [] : [[tool.name, tool] as const];
    }),
  ),
);

/** Converts a route; returns null for streams, files, routes without a key, and those with secrets. */
function toolOf(name: string, route: Route): ApiTool | null {
  const { body, method, path, query, scope, summary, description, responseSchema } = route;
  if (scope === null || responseSchema === null || route.secret || (body !== null && 'kinds' in body)) return null;
  const params = [...path.matchAll(/:(\w+)/g)].map(([, param = '']) => param);
  const properties = {
    ...Object.fromEntries(params.map((param) => [param, { type: 'string' }])),
    ...(query === null ? {} : { query: jsonSchema(query) }),
    ...(body === null ? {} : { body: jsonSchema(body) }),
  };
  return {
    name,
    title: summary,
    description: `${summary}. ${description ?? ''}\n${method} ${path}; needs the scope ${scope}.`,
    inputSchema: {
      type: 'object',
      properties,
      required: [...params, ...(body === null ? [] : ['body'])],
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: method === 'GET',
      destructiveHint: method === 'DELETE',
      openWorldHint: group(name) === 'calls' || group(name) === 'campaigns',
    },
    scope,
    route: { method, path, query, body },
  };
}

function group(name: string): string {
  return name.slice(0, name.indexOf('_'));
}

function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...written } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return written;
}
