import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Returns the `v1` signature of Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. The key is
 * the decoded base64 after `whsec_`, or the text itself for a secret without that prefix.
 * @see https://www.standardwebhooks.com
 */
export function standardSignature(secret: string, id: string, timestamp: string, body: string | Uint8Array): string {
  return `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

/** Returns the key of a secret: the bytes of the base64 after `whsec_`, or of the text itself. */
export function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
}

/**
 * Returns the signature of the `X-Webhook` headers: `sha256=` and the hex HMAC-SHA256 of `timestamp.body`, keyed with
 * the secret's text.
 */
export function plainSignature(secret: string, timestamp: string, body: string | Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`;
}

/**
 * Returns the bearer token of all webhooks: the hex HMAC-SHA256 of `webhook-bearer-token`, keyed with the secret's
 * text. It identifies the sender; unlike the signatures, it does not protect the body.
 *
 * @example
 * const expected = Buffer.from(`Bearer ${webhookBearerToken(secret)}`);
 * const sent = Buffer.from(request.headers.authorization ?? '');
 * // In constant time, so that the token cannot be guessed by measuring.
 * if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) reply(401);
 */
export function webhookBearerToken(secret: string): string {
  return createHmac('sha256', secret).update('webhook-bearer-token').digest('hex');
}

/** Compares in constant time. */
export function equalTexts(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
