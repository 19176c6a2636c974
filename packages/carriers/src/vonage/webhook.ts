import { createHash } from 'node:crypto';
import { type JsonFields, parsed, textOf } from '../shared/web/fields.ts';
import { claimsOf, isSigned } from './jwt.ts';

/** A webhook of Vonage with its unverified token. */
export interface VonageWebhook {
  /** Fields of the JSON body, or of the query. */
  readonly fields: JsonFields;
  /** Application id in the token; null without one. */
  readonly applicationId: string | null;
  /** Verifies the token and the hash of the payload. */
  isSigned(secret: string, wallMs: number): boolean;
}

/**
 * Parses a webhook. Its token has the SHA-256 of the body, or of the query as a JSON object in query order.
 *
 * @see https://developer.vonage.com/en/getting-started/concepts/webhooks#decoding-signed-webhooks
 */
export async function readWebhook(request: Request): Promise<VonageWebhook> {
  const isQuery = request.method === 'GET';
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const payload = isQuery ? JSON.stringify(query) : await request.text();
  const token = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
  const claims = claimsOf(token) ?? {};
  return {
    fields: isQuery ? query : (parsed(payload) ?? {}),
    applicationId: textOf(claims.application_id),
    isSigned: (secret, wallMs) =>
      isSigned(token, secret, wallMs) && claims.payload_hash === createHash('sha256').update(payload).digest('hex'),
  };
}
