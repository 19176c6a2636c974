import { z } from 'zod';
import { components } from '../routes/components.ts';

/** JSON Schema of draft 2020-12, which is that of OpenAPI 3.1. */
export interface JsonSchema {
  readonly [key: string]: unknown;
}

/** As a caller writes it, or as the API does: they differ where there are defaults. */
export type Direction = 'input' | 'output';

interface ZodJson extends JsonSchema {
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

const zodRef = '#/$defs/';
const openApiRef = '#/components/schemas/';

/**
 * Writes zod schemas as JSON Schema, those with a name as references. A name that is used in both directions and differs
 * in them has a second schema, `<name>Input`.
 */
export class JsonSchemas {
  readonly #named: Readonly<Record<Direction, Map<string, JsonSchema>>> = { input: new Map(), output: new Map() };

  /** References in it are whole only after `resolve`. */
  write(schema: z.ZodType, direction: Direction): JsonSchema {
    const written = z.toJSONSchema(schema, {
      metadata: components,
      io: direction,
      unrepresentable: 'any',
      override({ jsonSchema, zodSchema }) {
        const description = descriptionOf(zodSchema);
        if (description !== undefined) jsonSchema.description = description;
        delete jsonSchema.id;
        // A format says it to people, the pattern only to machines.
        if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
        // An answer may have more than is known today.
        if (direction === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    });
    const { $schema: _schema, $defs = {}, ...root }: ZodJson = written;
    for (const [name, definition] of Object.entries($defs)) this.#named[direction].set(name, definition);
    return directed(root, direction);
  }

  /** Puts the names of schemas into the references of a finished document. */
  resolve<T>(document: T): T {
    const isSplit = this.#splitNames();
    const text = JSON.stringify(document, (key, value: unknown) => {
      if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(openApiRef)) return value;
      const [direction, name] = value.slice(openApiRef.length).split(':');
      return name === undefined ? value : `${openApiRef}${publicName(name, direction === 'input', isSplit)}`;
    });
    return JSON.parse(text);
  }

  /** All that were referred to, by name. */
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

  /** The names whose two schemas differ, by themselves or by what they refer to. */
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

/** What `.describe()` said. Zod keeps it in a registry of its own, of which the one of our names knows nothing. */
function descriptionOf(schema: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.description;
}

function publicName(name: string, isInput: boolean, isSplit: ReadonlySet<string>): string {
  return isInput && isSplit.has(name) ? `${name}Input` : name;
}

/** References as zod writes them, with the direction that they are meant in. */
function directed(schema: unknown, direction: Direction): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll(`"$ref":"${zodRef}`, `"$ref":"${openApiRef}${direction}:`));
}
