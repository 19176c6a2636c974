import { JsonText } from './json-text.ts';

/**
 * A deep copy in which texts hold what every database can keep: U+0000 and lone surrogates become U+FFFD. Such texts
 * come from providers and far ends, and must not cost the record they stand in.
 */
export function storable<T>(value: T): T {
  return clean(value) as T;
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof JsonText) return clean(value.toJSON());
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), clean(inner)]));
}

/** Most texts have nothing of the kind, and this is told quickly. */
const suspect = /[\0\uD800-\uDFFF]/;

function cleanText(text: string): string {
  if (!suspect.test(text)) return text;
  return text.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');
}
