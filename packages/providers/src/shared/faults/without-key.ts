import { inspect } from 'node:util';

/**
 * Removes keys from a provider's message: some providers repeat a rejected key, and their messages go into records,
 * logs and the customers' webhooks.
 */
export function withoutKey(text: string, ...keys: readonly string[]): string {
  return keys.reduce((rest, key) => (key === '' ? rest : rest.replaceAll(key, '[redacted]')), text);
}

/** Returns the error for use as a cause; undefined if its message, or a field such as its response, contains a key. */
export function causeWithoutKey(error: Error, ...keys: readonly string[]): Error | undefined {
  const shown = inspect(error, { depth: 10, maxStringLength: null });
  return withoutKey(shown, ...keys) === shown ? error : undefined;
}
