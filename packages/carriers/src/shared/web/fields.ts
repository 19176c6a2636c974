/** Fields of a JSON object of unknown shape. */
export type JsonFields = Readonly<Record<string, unknown>>;

/** Parses a JSON object; null for anything else. */
export function parsed(text: string): JsonFields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Returns the fields of an object; an empty object for any other value. */
export function fieldsOf(value: unknown): JsonFields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Returns a string of at most `maxLength` characters; null for any other value. */
export function textOf(value: unknown, maxLength = 512): string | null {
  return typeof value === 'string' && value.length <= maxLength ? value : null;
}

/** Parses a number or a numeric string; null for any other value. */
export function numberOf(value: unknown): number | null {
  const isNumeric = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
  const number = isNumeric ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}
