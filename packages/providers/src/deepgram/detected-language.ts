/**
 * Returns the most frequent language of a `languages` field, which lists the detected ones by descending frequency;
 * undefined if the field is absent or empty.
 */
export function firstLanguage(languages: unknown): string | undefined {
  const first: unknown = Array.isArray(languages) ? languages[0] : undefined;
  return typeof first === 'string' && first !== '' ? first : undefined;
}
