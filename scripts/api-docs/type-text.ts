import { refName, type Schema, withoutNull } from './schema.ts';

const formats: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  uri: 'URL',
  email: 'e-mail address',
  date: '`YYYY-MM-DD`',
  'date-time': 'date-time',
};

/** Returns a short description of a schema. `link` returns a link to a schema by its name. */
export function typeText(given: Schema, link: (name: string) => string): string {
  const { schema, isNullable } = withoutNull(given);
  const text = plainText(schema, link);
  return isNullable ? `${text}, or null` : text;
}

function plainText(schema: Schema, link: (name: string) => string): string {
  const name = refName(schema);
  if (name !== null) return link(name);
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined) return variantsText(variants, link);
  switch (schema.type) {
    case 'string':
      return stringText(schema);
    case 'integer':
    case 'number':
      return `${schema.type}${rangeText(schema)}`;
    case 'array':
      return arrayText(schema, link);
    case 'object':
      return objectText(schema, link);
    default:
      return typeof schema.type === 'string' ? schema.type : 'anything';
  }
}

function variantsText(variants: readonly Schema[], link: (name: string) => string): string {
  const kinds = variants.map(({ properties }) => properties?.type?.const);
  // A kind may be written in several forms.
  if (kinds.every((kind) => kind !== undefined)) {
    return `object, by its \`type\`: ${[...new Set(kinds.map(code))].join(', ')}`;
  }
  return [...new Set(variants.map((variant) => typeText(variant, link)))].join(' or ');
}

function stringText({ format, pattern, minLength = 0, maxLength }: Schema): string {
  const kind = format === undefined ? 'string' : (formats[format] ?? format);
  if (pattern !== undefined) return `${kind} (${code(pattern)})`;
  if (maxLength === undefined) return minLength > 0 ? `${kind} (not empty)` : kind;
  return `${kind} (${minLength > 0 ? `${minLength}–` : '≤ '}${number(maxLength)} characters)`;
}

function rangeText({ minimum = -Infinity, maximum = Infinity }: Schema): string {
  const [from, to] = [minimum > Number.MIN_SAFE_INTEGER, maximum < 2_147_483_647];
  if (from && to) return ` (${number(minimum)}–${number(maximum)})`;
  if (from) return ` (≥ ${number(minimum)})`;
  return to ? ` (≤ ${number(maximum)})` : '';
}

function arrayText({ items = {}, minItems = 0, maxItems }: Schema, link: (name: string) => string): string {
  const most = maxItems === undefined ? 'array of' : `array of ≤ ${number(maxItems)}`;
  return `${minItems > 0 && maxItems === undefined ? 'not empty ' : ''}${most} ${typeText(items, link)}`;
}

function objectText({ additionalProperties }: Schema, link: (name: string) => string): string {
  if (typeof additionalProperties !== 'object' || Object.keys(additionalProperties).length === 0) return 'object';
  return `object of ${typeText(additionalProperties, link)}`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}

/** Returns a value as Markdown code; escapes bars, which would end the cell of a table. */
export function code(value: unknown): string {
  return `\`${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('|', '\\|')}\``;
}
