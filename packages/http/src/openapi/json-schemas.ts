import { z } from 'zod';
import { components } from '../route/components.ts';

/** JSON Schema draft 2020-12, the dialect of OpenAPI 3.1. */
export interface JsonSchema {
  readonly [key: string]: unknown;
}

/** Form of a schema: as clients send it or as the API returns it. The two differ where fields have defaults. */
export type SchemaDirection = 'input' | 'output';

interface ZodJson extends JsonSchema {
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

const zodRef = '#/$defs/';
const openApiRef = '#/components/schemas/';

/**
 * Converts zod schemas to JSON Schema, named ones to references. A name whose input and output forms differ gets a
 * second schema, `<name>Input`.
 */
export class JsonSchemas {
  readonly #named: Readonly<Record<SchemaDirection, Map<string, JsonSchema>>> = { input: new Map(), output: new Map() };

  /** Converts one schema. Its references are complete only after `resolve`. */
  write(schema: z.ZodType, direction: SchemaDirection): JsonSchema {
    const written = z.toJSONSchema(schema, {
      metadata: components,
      io: direction,
      unrepresentable: 'any',
      override({ jsonSchema, zodSchema }) {
        const description = descriptionOf(zodSchema);
        if (description !== undefined) jsonSchema.description = description;
        delete jsonSchema.id;
        // The format is kept instead of the pattern, because it is readable.
        if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
        // Responses may get more properties in later versions.
        if (direction === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    });
    const { $schema: _schema, $defs = {}, ...root }: ZodJson = written;
    for (const [name, definition] of Object.entries($defs)) this.#named[direction].set(name, definition);
    return directed(root, direction);
  }

  /** Replaces the placeholders of references in a finished document by the schemas' names. */
  resolve<T>(document: T): T {
    const isSplit = this.#splitNames();
    const text = JSON.stringify(document, (key, value: unknown) => {
      if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(openApiRef)) return value;
      const [direction, name] = value.slice(openApiRef.length).split(':');
      return name === undefined ? value : `${openApiRef}${publicName(name, direction === 'input', isSplit)}`;
    });
    return JSON.parse(text);
  }

  /** Returns all referenced schemas by name. */
  components(): Readonly<Record<string, JsonSchema>> {
    const isSplit = this.#splitNames();
    const schemas: Record<string, JsonSchema> = {};
    for (const direction of ['output', 'input'] as const) {
      for (const [name, definition] of this.#named[direction]) {
        schemas[publicName(name, direction === 'input', isSplit)] = directed(definition, direction);
      }
    }
    return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Returns the names whose input and output forms differ, directly or through a reference. */
  #splitNames(): ReadonlySet<string> {
    const split = new Set<string>();
    const { input, output } = this.#named;
    const texts = [...input].flatMap(([name, definition]) => {
      const other = output.get(name);
      return other === undefined ? [] : [{ name, text: JSON.stringify(definition), other: JSON.stringify(other) }];
    });
    for (let before = -1; before < split.size; ) {
      before = split.size;
      for (const { name, text, other } of texts) {
        const refersToSplit = [...split].some((one) => text.includes(`"${zodRef}${one}"`));
        if (text !== other || refersToSplit) split.add(name);
      }
    }
    return split;
  }
}

/** Returns the text passed to `.describe()`, which zod keeps in its global registry rather than in ours. */
function descriptionOf(schema: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.description;
}

function publicName(name: string, isInput: boolean, isSplit: ReadonlySet<string>): string {
  return isInput && isSplit.has(name) ? `${name}Input` : name;
}

/** Marks the references in zod's output with their direction. */
function directed(schema: unknown, direction: SchemaDirection): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll(`"$ref":"${zodRef}`, `"$ref":"${openApiRef}${direction}:`));
}
