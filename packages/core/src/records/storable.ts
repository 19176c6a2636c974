import { JsonText } from './json-text.ts';

/**
 * Returns a deep copy with texts that every database can store: U+0000 and lone surrogates become U+FFFD. Such texts
 * come from providers and remote parties, and must not make a record fail.
 *
 * @example storable({ text: 'a\u0000b' }); // { text: 'a\ufffdb' }
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

/** Fast check for U+0000 and surrogates, which most texts do not contain. */
const suspect = /[\0\uD800-\uDFFF]/;

function cleanText(text: string): string {
  if (!suspect.test(text)) return text;
  return text.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');
}
