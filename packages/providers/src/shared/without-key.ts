/**
 * What a provider says, without the key that it was sent: some repeat the one they refuse, and what they say goes into
 * records, logs and the customers' webhooks.
 */
export function withoutKey(text: string, apiKey: string): string {
  return text.replaceAll(apiKey, '[redacted]');
}
