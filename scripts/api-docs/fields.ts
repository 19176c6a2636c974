import { type Schema, withoutNull } from './schema.ts';
import { code, typeText } from './type-text.ts';

export interface Field {
  /** Path with dots between the levels: `[]` stands for the items of an array, `[kind]` for items of one kind. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly note: string;
}

interface Context {
  link(name: string): string;
  /** Returns the name of the schema with exactly these properties; null if there is none. */
  nameOf(properties: Schema['properties']): string | null;
  /** Returns the note on a field, or an empty string. */
  noteOf(path: string): string;
  /** Returns true if the fields within a field are described elsewhere. */
  isKnown(path: string): boolean;
}

/** Returns the fields of an object, and of the objects in it. */
export function fieldsOf(schema: Schema, context: Context, prefix = ''): Field[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const known = context.nameOf(withoutNull(property).schema.properties);
    const type = known === null ? typeText(property, context.link) : `the fields of ${context.link(known)}`;
    const notes = [defaultText(property), property.description ?? '', context.noteOf(path)].filter(
      (text) => text !== '',
    );
    const field = { path, type, isRequired: required.includes(name), note: notes.join(' ') };
    return known === null && !context.isKnown(path) ? [field, ...fieldsWithin(property, context, path)] : [field];
  });
}

function fieldsWithin(property: Schema, context: Context, path: string): Field[] {
  const { schema } = withoutNull(property);
  if (schema.properties !== undefined) return fieldsOf(schema, context, `${path}.`);
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined) {
    const kinds = variants.map((variant) => variant.properties?.type?.const);
    return variants.flatMap((variant, at) => {
      const kind = kinds[at];
      // Another form of a kind is described in the note of the field.
      if (kinds.indexOf(kind) < at) return [];
      const { type: _type, ...properties } = variant.properties ?? {};
      return kind === undefined
        ? []
        : fieldsOf({ ...variant, properties }, context, `${path.replace(/\[\]$/, '')}[${String(kind)}].`);
    });
  }
  return schema.items === undefined ? [] : fieldsWithin(schema.items, context, `${path}[]`);
}

function defaultText({ default: value }: Schema): string {
  const isEmpty =
    typeof value === 'object' && value !== null && Object.keys(value).length === 0 && !Array.isArray(value);
  return value === undefined || value === '' || isEmpty ? '' : `Default ${code(value)}.`;
}

/** Returns a table of fields. Required fields are marked if the fields are sent by the client. */
export function fieldTable(fields: readonly Field[], options: { readonly isSent: boolean }): string {
  const rows = fields.map(({ path, type, isRequired, note }) => {
    const notes = [...(options.isSent && isRequired ? ['**Required.**'] : []), ...(note === '' ? [] : [note])];
    return `| \`${path}\` | ${type} | ${notes.join(' ')} |`;
  });
  return ['| field | type | |', '|---|---|---|', ...rows].join('\n');
}
