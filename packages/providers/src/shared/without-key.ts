/**
 * Removes the key from a provider's message: some providers repeat a rejected key, and their messages go into records,
 * logs and the customers' webhooks.
 */
export function withoutKey(text: string, apiKey: string): string {
  return text.replaceAll(apiKey, '[redacted]');
}
