/** Fields of a JSON object from a vendor, whose values are unchecked. */
export type VendorFields = Record<string, unknown>;

/** Returns a copy of a JSON object; undefined for any other value. */
export function fieldsOf(value: unknown): VendorFields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/** Returns the field if it is a finite number of 0 or more; otherwise undefined. */
export function countIn(fields: VendorFields | undefined, name: string): number | undefined {
  const count = fields?.[name];
  return typeof count === 'number' && Number.isFinite(count) && count >= 0 ? count : undefined;
}

/** Parses a JSON object from a provider; undefined for anything else. */
export function parseFields(text: string): VendorFields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Returns the items of an array; an empty array for any other value. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the strings of an array; an empty array for any other value. */
export function stringsOf(value: unknown): string[] {
  return itemsOf(value).filter((item) => typeof item === 'string');
}
