import type { RandomBytes } from '../ids.ts';

/** Creates a secret in the form of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export function newWebhookSecret(random: RandomBytes): string {
  return `whsec_${Buffer.from(random(32)).toString('base64')}`;
}
