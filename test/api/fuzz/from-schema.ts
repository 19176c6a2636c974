import fc from 'fast-check';
import { oddNumbers, oddText, oddValue } from './odd-values.ts';

/** The subset of JSON Schema that describes bodies of the API. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Values for valid requests that the schema does not define. */
export interface Material {
  /** Ids of existing records, of records of other organizations, and of no record. */
  readonly ids: readonly string[];
  /** URLs for webhooks, all on this machine. */
  readonly urls: readonly string[];
  /** Meaningful texts, such as phone numbers and provider names. */
  readonly words: readonly string[];
}

/** Generates values that mostly match the schema. */
export function fromSchema(schema: Schema, material: Material): fc.Arbitrary<unknown> {
  const good = goodValue(schema, material);
  return fc.oneof({ weight: 14, arbitrary: good }, { weight: 1, arbitrary: oddValue });
}

function goodValue(schema: Schema, material: Material): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices !== undefined) return fc.oneof(...choices.map((each) => fromSchema(each, material)));
  switch (schema.type) {
    case 'string':
      return text(schema, material);
    case 'integer':
    case 'number':
      return number(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fromSchema(schema.items ?? {}, material), { maxLength: 3 });
    case 'object':
      return object(schema, material);
    default:
      return fc.oneof(fc.jsonValue({ maxDepth: 2 }), oddValue);
  }
}

function text({ format, pattern }: Schema, { ids, urls, words }: Material): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.constantFrom(...ids);
  if (format === 'uri') return fc.constantFrom(...urls);
  if (format === 'email') return fc.constantFrom('a@example.com', 'a@b', "o'x+y@sub.example.co");
  if (pattern !== undefined && !pattern.includes('(?')) return matching(pattern);
  if (pattern !== undefined)
    return fc.constantFrom('2026-01-31', '2099-12-31T23:59:59.123Z', '09:00', '17:30:59', ...words);
  return fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 30 }), oddText);
}

const patterns = new Map<string, fc.Arbitrary<string>>();

/** Generates texts that match a pattern, which takes a millisecond to read. */
function matching(pattern: string): fc.Arbitrary<string> {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  const texts = fc.stringMatching(new RegExp(pattern));
  patterns.set(pattern, texts);
  return texts;
}

function number({ type, minimum = -1_000, maximum = 100_000 }: Schema): fc.Arbitrary<number> {
  const bounds = [minimum, maximum, minimum - 1, maximum + 1, ...oddNumbers];
  const [least, most] = [Math.ceil(minimum), Math.min(Math.floor(maximum), 2 ** 31)];
  const between = fc.double({ min: minimum, max: maximum, noNaN: true });
  const within = least > most ? between : fc.integer({ min: least, max: most });
  const fraction = type === 'integer' ? within : between;
  return fc.oneof({ weight: 3, arbitrary: within }, fraction, fc.constantFrom(...bounds));
}

function object(
  { properties = {}, required = [], additionalProperties }: Schema,
  material: Material,
): fc.Arbitrary<object> {
  const fields = Object.entries(properties).map(([name, each]) => {
    const presence = required.includes(name) ? 0.97 : 0.3;
    return fc
      .tuple(fc.constant(name), fc.double({ min: 0, max: 1, noNaN: true }), fromSchema(each, material))
      .map(([key, chance, value]) => (chance < presence ? [[key, value] as const] : []));
  });
  const more = typeof additionalProperties === 'object' ? 3 : 0;
  const extra = fc.oneof(
    {
      weight: 20,
      arbitrary: fc.array(fc.tuple(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 })), { maxLength: more }),
    },
    { weight: 1, arbitrary: fc.array(fc.tuple(oddText, oddValue), { minLength: 1, maxLength: 2 }) },
  );
  return fc.tuple(fc.tuple(...fields), extra).map(([given, others]) => ownEntries([...others, ...given.flat()]));
}

/** Defines `__proto__` as an own key, as parsed JSON does. */
function ownEntries(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}
