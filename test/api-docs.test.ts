import { readFileSync } from 'node:fs';
import { routes } from '@va/http';
import { describe, expect, it } from 'vitest';
import type { Route } from '../packages/http/src/route/route.ts';
import { findDefaults } from '../scripts/api-docs/defaults.ts';
import { fieldNotes, operationNotes } from '../scripts/api-docs/notes.ts';
import { writeReference } from '../scripts/api-docs/reference.ts';
import { describeApi } from '../scripts/api-docs/schema.ts';
import { anchor, Schemas } from '../scripts/api-docs/schemas.ts';

const docs = new URL('../docs/', import.meta.url);
const reference = readFileSync(new URL('api.md', docs), 'utf8');
const served = Object.entries(routes).flatMap(([group, named]) =>
  Object.entries<Route>(named).map(([name, route]) => ({ name: `${group}.${name}`, route })),
);

describe('the API reference', () => {
  it('is up to date with `npm run docs:api`', async () => {
    expect(reference).toBe(await writeReference());
  });

  it('lists every operation with its scope and its client method', () => {
    for (const { name, route } of served) {
      const path = route.path.replace(/:(\w+)/g, '{$1}');
      const line = reference.split('\n').find((one) => one.startsWith(`\`${route.method} ${path}\``)) ?? '';
      expect(line, name).toContain(`\`client.${name}(`);
      expect(line, name).toContain(route.scope === null ? 'for everyone' : `scope \`${route.scope}\``);
    }
  });

  it('has unique headings and no broken links', () => {
    const headings = [...reference.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading));
    expect(headings.filter((heading, n) => headings.indexOf(heading) !== n)).toEqual([]);
    const links = [...reference.matchAll(/\]\(#([^)]*)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !headings.includes(link))).toEqual([]);
    for (const [, file = ''] of reference.matchAll(/\]\((\.\.?\/[^)]*)\)/g)) readFileSync(new URL(file, docs));
  });

  it('has notes only on existing operations', async () => {
    const schemas = new Schemas(describeApi(), await findDefaults());
    for (const [schema, notes] of Object.entries(fieldNotes)) {
      const { oneOf = [schemas.get(schema)] } = schemas.get(schema);
      const paths = oneOf.flatMap((variant) => schemas.fieldsOf(schema, variant).map(({ path }) => path));
      expect(Object.keys(notes).filter((path) => !paths.includes(path))).toEqual([]);
    }
    const names = served.map(({ name }) => name);
    expect(Object.keys(operationNotes).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('states the defaults of the service', () => {
    const rowOf = (field: string, type: string): string =>
      reference.split('\n').find((line) => line.startsWith(`| \`${field}\` | ${type} |`)) ?? '';
    expect(rowOf('max_duration_seconds', 'integer (10–43,200)')).toContain('Default `600`.');
    expect(rowOf('max_attempts', 'integer (1–20)')).toContain('Default `3`.');
    expect(rowOf('transport', '`udp`, `tcp`, `tls`')).not.toContain('Required');
    expect(rowOf('phone_number', 'string (≤ 100 characters)')).toContain('**Required.**');
  });
});
