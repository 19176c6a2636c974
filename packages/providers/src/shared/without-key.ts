/**
 * Removes keys from a provider's message: some providers repeat a rejected key, and their messages go into records,
 * logs and the customers' webhooks.
 */
export function withoutKey(text: string, ...keys: readonly string[]): string {
  return keys.reduce((rest, key) => (key === '' ? rest : rest.replaceAll(key, '[redacted]')), text);
}
