/** Fields of a JSON object whose shape is not known. */
export type Fields = Readonly<Record<string, unknown>>;

/** Parses a JSON object; null for anything else. */
export function parsed(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Returns the fields of a value; none for anything but an object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Returns a text of at most `maxLength` characters; null for anything else. */
export function textOf(value: unknown, maxLength = 512): string | null {
  return typeof value === 'string' && value.length <= maxLength ? value : null;
}

/** Returns a number that may be written as text; null for anything else. */
export function numberOf(value: unknown): number | null {
  const isNumeric = typeof value === 'number' || (typeof value === 'string' && value !== '');
  const number = isNumeric ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}
