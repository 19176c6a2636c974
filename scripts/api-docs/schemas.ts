import type { Field } from './fields.ts';
import { fieldsOf } from './fields.ts';
import { fieldNotes } from './notes.ts';
import { type Description, type Schema, withoutBounds } from './schema.ts';
import { code } from './type-text.ts';

type Defaults = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The schemas of the API by name, with the defaults and notes of their fields. */
export class Schemas {
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #defaults: Defaults;
  readonly #headings = new Map<string, string>();
  readonly #namesByProperties = new Map<string, string>();

  constructor(description: Description, defaults: Defaults) {
    this.#schemas = description.components.schemas;
    this.#defaults = defaults;
    for (const [name, { properties = {} }] of Object.entries(this.#schemas)) {
      this.#namesByProperties.set(JSON.stringify(properties), name);
    }
  }

  get(name: string): Schema {
    const schema = this.#schemas[name];
    if (schema === undefined) throw new Error(`There is no schema ${name}.`);
    return schema;
  }

  /** Records the heading under which a schema is described. Returns false if it has one already. */
  tell(name: string, heading: string): boolean {
    if (this.#headings.has(name)) return false;
    this.#headings.set(name, heading);
    return true;
  }

  link = (name: string): string => {
    if (name === 'Pagination') return '[pagination](#pagination)';
    if (name === 'Success') return '`{"success": true}`';
    const heading = this.#headings.get(name);
    return heading === undefined ? `\`${name}\`` : `[${name}](#${anchor(heading)})`;
  };

  fieldsOf(name: string, schema: Schema = this.get(name)): Field[] {
    return this.#fieldsOf(name, schema, () => false);
  }

  /**
   * Returns the fields of an object in responses. The inner fields of fields that the request `body` has too are
   * described there.
   */
  answeredFieldsOf(name: string, body: string | null): Field[] {
    const sent = body === null ? [] : Object.keys(this.get(body).properties ?? {});
    return this.#fieldsOf(name, withoutBounds(this.get(name)), (path) => sent.includes(path));
  }

  #fieldsOf(name: string, schema: Schema, isKnown: (path: string) => boolean): Field[] {
    return fieldsOf(schema, {
      isKnown,
      link: this.link,
      nameOf: (properties) => this.#nameOf(properties, name),
      noteOf: (path) => [this.#defaultOf(name, path, schema), fieldNotes[name]?.[path] ?? ''].join(' ').trim(),
    });
  }

  /**
   * Returns the name of the schema with these properties. Null for less than four properties, because small objects may
   * be equal by chance.
   */
  #nameOf(properties: Schema['properties'], within: string): string | null {
    if (properties === undefined || Object.keys(properties).length < 4) return null;
    const name = this.#namesByProperties.get(JSON.stringify(properties)) ?? null;
    return name === within ? null : name;
  }

  #defaultOf(name: string, path: string, { required = [] }: Schema): string {
    const value = required.includes(path) ? null : (this.#defaults[name]?.[path] ?? null);
    const isEmpty = value === null || (typeof value === 'object' && Object.keys(value).length === 0);
    return isEmpty ? '' : `Default ${code(value)}.`;
  }
}

/** Returns the anchor that GitHub gives a heading. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
