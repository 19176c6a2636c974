import { z } from 'zod';
import type { Operation } from '../../packages/client/src/operation-table.ts';
import type { Route } from '../../packages/http/src/route/route.ts';
import { type Field, fieldTable } from './fields.ts';
import { operationNotes } from './notes.ts';
import { type DescribedOperation, refName, type Schema } from './schema.ts';
import { anchor, type Schemas } from './schemas.ts';
import { typeText } from './type-text.ts';

export interface OperationFacts {
  readonly group: string;
  readonly name: string;
  readonly route: Route;
  readonly described: DescribedOperation;
  /** Method of the client; null if it has none. */
  readonly method: Operation;
  /** The operation that creates what this one changes: its heading, and the name of its body. Null if there is none. */
  readonly creation: { readonly heading: string; readonly body: string } | null;
}

/** Returns the section of one operation. */
export function describeOperation(facts: OperationFacts, schemas: Schemas): string {
  const { group, name, route } = facts;
  return [
    `### ${route.summary}`,
    headLine(facts),
    route.description,
    queryTable(facts, schemas),
    bodyText(facts, schemas),
    answerText(facts, schemas),
    operationNotes[`${group}.${name}`] ?? null,
    errorText(route),
  ]
    .filter((part) => part !== null && part !== '')
    .join('\n\n');
}

function headLine({ group, name, route, method }: OperationFacts): string {
  const aliases = route.aliases.map((path) => `, also \`${braced(path)}\``).join('');
  const scope = route.scope === null ? 'for everyone' : `scope \`${route.scope}\``;
  const ids = [...route.path.matchAll(/:(\w+)/g)].map(([, id = '']) => id);
  const args = [...ids, ...(name === 'import' ? ['csv'] : []), ...(method.takes === undefined ? [] : [method.takes])];
  const all = method.pages === undefined ? '' : `, \`all(${[...ids, 'filter'].join(', ')})\``;
  const call = `\`client.${group}.${name}(${args.join(', ')})\`${all}`;
  return `\`${route.method} ${braced(route.path)}\`${aliases} · ${scope} · ${call}`;
}

function braced(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/**
 * Returns the table of the query parameters. Their descriptions are taken from the zod schemas, because the OpenAPI
 * document lacks them.
 */
function queryTable({ route, described }: OperationFacts, schemas: Schemas): string {
  const shape = route.query instanceof z.ZodObject ? route.query.shape : {};
  const rows = (described.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name = '', schema = {} }) => {
      const type = typeText(schema, schemas.link);
      return `| \`${name}\` | ${type} | ${z.globalRegistry.get(shape[name])?.description ?? ''} |`;
    });
  return rows.length === 0 ? '' : ['| parameter | type | |', '|---|---|---|', ...rows].join('\n');
}

function bodyText({ described, creation }: OperationFacts, schemas: Schemas): string {
  const contents = Object.entries(described.requestBody?.content ?? {});
  const schema = contents.find(([type]) => type === 'application/json')?.[1].schema;
  if (schema === undefined) {
    return contents.length === 0 ? '' : `Body: a file as ${contents.map(([type]) => `\`${type}\``).join(' or ')}.`;
  }
  const name = refName(schema);
  if (name === null) throw new Error('A body without a name cannot be told of.');
  const { oneOf } = schemas.get(name);
  if (oneOf !== undefined) return oneOf.map((variant) => variantText(name, variant, schemas)).join('\n\n');
  const fields = schemas.fieldsOf(name);
  return creation === null ? fieldTable(fields, { isSent: true }) : changesText(fields, creation, schemas);
}

function variantText(name: string, variant: Schema, schemas: Schemas): string {
  const kind = `**\`${String(variant.properties?.type?.const)}\`**`;
  const { type: _type, command_id: _id, ...properties } = variant.properties ?? {};
  const fields = schemas.fieldsOf(name, { ...variant, properties });
  return fields.length === 0 ? `${kind} has no other fields.` : `${kind}\n\n${fieldTable(fields, { isSent: true })}`;
}

/** Returns the text about the fields of a change: a link to those of the creation, and a table of those that differ. */
function changesText(
  fields: readonly Field[],
  { heading, body }: NonNullable<OperationFacts['creation']>,
  schemas: Schemas,
): string {
  const created = schemas.fieldsOf(body);
  const isSame = (a: Field, b: Field): boolean => a.path === b.path && a.type === b.type;
  const own = fields.filter((field) => !created.some((one) => isSame(one, field)));
  const missing = created.filter(({ path }) => !path.includes('.') && !fields.some((field) => field.path === path));
  const but = missing.length === 0 ? '' : `, but not ${missing.map(({ path }) => `\`${path}\``).join(', ')}`;
  const text = `Takes any of the fields of [${heading}](#${anchor(heading)})${but}`;
  return own.length === 0 ? `${text}.` : `${text}, and:\n\n${fieldTable(own, { isSent: true })}`;
}

function answerText({ route, described }: OperationFacts, schemas: Schemas): string {
  const good = Object.entries(described.responses).filter(([status]) => route.statuses.includes(Number(status)));
  const texts = good.map(([status, { content = {} }]) => {
    const [[mediaType, { schema = {} }] = ['', {}]] = Object.entries(content);
    const body = mediaType === 'application/json' ? answerShape(schema, schemas) : `\`${mediaType}\``;
    return `\`${status}\` ${body}`;
  });
  return `Answers ${texts.join(', ')}${route.hasLocation ? ', with `Location`' : ''}.`;
}

/** Returns the shape of a response: the keys of an object with their types, or a link for a schema with a name. */
function answerShape(schema: Schema, schemas: Schemas): string {
  if (schema.properties === undefined) return typeText(schema, schemas.link);
  const keys = Object.entries(schema.properties).map(([key, value]) => `\`${key}\`: ${typeText(value, schemas.link)}`);
  return `{ ${keys.join(', ')} }`;
}

function errorText({ errors }: Route): string {
  const own = Object.entries(errors).map(
    ([status, codes]) => `${status} ${codes.map((code) => `\`${code}\``).join(', ')}`,
  );
  return own.length === 0 ? '' : `Errors of its own: ${own.join('; ')}.`;
}
