import { routes } from '@va/http';
import type { Route } from '@va/http/types';
import { describe, expect, it } from 'vitest';
import { apiTools } from '../../src/server/api-tools.ts';

const tools = [...apiTools.values()];

describe('apiTools', () => {
  it('have names that every client accepts, each once', () => {
    for (const { name } of tools) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  });

  it.each(['apiKeys', 'publishableKeys', 'byok', 'domains', 'trunks', 'nodes', 'access', 'health'])(
    'have none of %s',
    (group) => {
      expect(tools.filter(({ name }) => name.startsWith(`${group}_`))).toEqual([]);
    },
  );

  it('have no route that answers with a secret, a stream or a file, or that takes a file', () => {
    const open = new Map<string, Route>(
      Object.entries(routes).flatMap(([group, ofGroup]) =>
        Object.entries<Route>(ofGroup).map(([name, route]) => [`${group}_${name}`, route] as const),
      ),
    );
    for (const { name } of tools) {
      const route = open.get(name);
      expect(route, name).toMatchObject({ responseSchema: expect.anything(), scope: expect.any(String) });
      expect(route?.secret ?? false, name).toBe(false);
    }
    expect(apiTools.has('leads_import')).toBe(false);
    expect(apiTools.has('leads_export')).toBe(false);
    expect(apiTools.has('calls_recording')).toBe(false);
  });

  it('require the ids of their path and their body, and accept nothing else', () => {
    for (const { name, inputSchema, route } of tools) {
      const ids = [...route.path.matchAll(/:(\w+)/g)].map(([, id]) => id);
      expect(inputSchema.required, name).toEqual([...ids, ...(route.body === null ? [] : ['body'])]);
      expect(inputSchema.additionalProperties, name).toBe(false);
      const known = [...ids, ...(route.query === null ? [] : ['query']), ...(route.body === null ? [] : ['body'])];
      expect(Object.keys(inputSchema.properties ?? {}), name).toEqual(known);
    }
  });

  it('say whether they only read, delete or reach the outside', () => {
    for (const { name, annotations, route } of tools) {
      expect(annotations.readOnlyHint, name).toBe(route.method === 'GET');
      expect(annotations.destructiveHint, name).toBe(route.method === 'DELETE');
      expect(annotations.openWorldHint, name).toBe(/^(calls|campaigns)_/.test(name));
    }
  });

  it('name in their description the scope that a key needs', () => {
    for (const { name, description, route, scope } of tools) {
      expect(description, name).toContain(`${route.method} ${route.path}; needs the scope ${scope}.`);
    }
  });

  it('have schemas without a dialect, which clients may refuse', () => {
    expect(JSON.stringify(tools.map(({ inputSchema }) => inputSchema))).not.toContain('"$schema"');
  });
});
