import { readFileSync } from 'node:fs';
import { routes } from '@va/http';
import type { Operation } from '../../packages/client/src/operation-table.ts';
import { operations } from '../../packages/client/src/operations.ts';
import type { Route } from '../../packages/http/src/route/route.ts';
import { findDefaults } from './defaults.ts';
import { fieldTable } from './fields.ts';
import { describeOperation, type OperationFacts } from './operation.ts';
import { type Description, describeApi, refName, type Schema } from './schema.ts';
import { anchor, Schemas } from './schemas.ts';

type Groups = Readonly<Record<string, Readonly<Record<string, Route>>>>;
type Methods = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const conventions = new URL('./conventions.md', import.meta.url);

/** Returns the content of docs/api.md: the conventions, and every operation of the table of routes. */
export async function writeReference(): Promise<string> {
  const description = describeApi();
  const schemas = new Schemas(description, await findDefaults());
  const groups: Groups = routes;
  const names = Object.keys(groups);
  const objects = new Map(names.map((group) => [group, objectsOf(groups[group] ?? {}, description, schemas)]));
  const sections = names.map((group) => {
    const facts = factsOf(group, groups[group] ?? {}, description);
    const body = facts.find(({ creation }) => creation !== null)?.creation?.body ?? null;
    const tables = (objects.get(group) ?? []).map((name) => objectText(name, body, schemas));
    return [`## ${titleOf(group)}`, ...tables, ...facts.map((one) => describeOperation(one, schemas))].join('\n\n');
  });
  const contents = names.map((group) => `[${titleOf(group)}](#${anchor(titleOf(group))})`).join(' · ');
  const generated = '<!-- Made by `npm run docs:api` from the table of routes. -->';
  const parts = [generated, readFileSync(conventions, 'utf8').trim(), `Operations: ${contents}`, ...sections];
  return `${parts.join('\n\n')}\n`;
}

function factsOf(group: string, named: Groups[string], description: Description): OperationFacts[] {
  const methods: Methods = operations;
  const entries = Object.entries(named).map(([name, route]) => ({
    name,
    route,
    described: describedOf(route, description),
  }));
  const creating = entries.find(({ route }) => route.method === 'POST' && !route.path.includes(':'));
  const created = creating === undefined ? null : bodyOf(creating.described);
  return entries.map(({ name, route, described }) => {
    const method = methods[group]?.[name];
    if (method === undefined) throw new Error(`The client has no ${group}.${name}.`);
    const isChange = route.method === 'PATCH' && creating !== undefined && created !== null;
    const creation = isChange ? { heading: creating.route.summary, body: created } : null;
    return { group, name, route, described, method, creation };
  });
}

function describedOf(route: Route, { paths }: Description): OperationFacts['described'] {
  const described = paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];
  if (described === undefined) throw new Error(`${route.method} ${route.path} is not described.`);
  return described;
}

function bodyOf({ requestBody }: OperationFacts['described']): string | null {
  return refName(requestBody?.content['application/json']?.schema ?? {});
}

/**
 * Returns the names of the objects in the responses of a group that no earlier group describes. Each gets a heading of
 * its own, to which other sections link.
 */
function objectsOf(named: Groups[string], description: Description, schemas: Schemas): string[] {
  const found: string[] = [];
  const visit = (schema: Schema): void => {
    const name = refName(schema);
    if (name !== null && !isShared(name) && schemas.tell(name, headingOf(name))) {
      visit(schemas.get(name));
      found.push(name);
    }
    for (const part of [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? [])]) visit(part);
    if (schema.items !== undefined) visit(schema.items);
  };
  for (const route of Object.values(named)) {
    const described = describedOf(route, description);
    for (const status of route.statuses)
      visit(described.responses[status]?.content?.['application/json']?.schema ?? {});
    const body = bodyOf(described);
    if (body !== null) schemas.tell(body, route.summary);
  }
  return found;
}

function isShared(name: string): boolean {
  return ['Success', 'Pagination'].includes(name);
}

function headingOf(name: string): string {
  return `${name} object`;
}

function objectText(name: string, body: string | null, schemas: Schemas): string {
  const fields = schemas.answeredFieldsOf(name, body);
  return `### ${headingOf(name)}\n\n${fieldTable(fields, { isSent: false })}`;
}

const titles: Readonly<Record<string, string>> = { apiKeys: 'API keys', byok: 'BYOK', trunks: 'SIP trunks' };

/** Returns the title of a group, such as `Tool templates` for `toolTemplates`. */
function titleOf(group: string): string {
  const words = group.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return titles[group] ?? `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}
