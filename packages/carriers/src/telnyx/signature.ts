import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** DER prefix of an Ed25519 public key (RFC 8410 §4). */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');
/** Maximum age of a signed webhook, as in Telnyx's SDK. */
const maxAgeMs = 300_000;

export interface SignedWebhook {
  /** Header `telnyx-signature-ed25519`. */
  readonly signature: string | null;
  /** Header `telnyx-timestamp`, in seconds. */
  readonly timestamp: string | null;
  readonly body: string;
}

/**
 * Verifies the Ed25519 signature over timestamp and body, and the age of the timestamp.
 *
 * @param publicKey 32 bytes in base64
 * @see https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks#webhook-signing
 */
export function isSigned({ signature, timestamp, body }: SignedWebhook, publicKey: string, wallMs: number): boolean {
  if (signature === null || timestamp === null || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(wallMs - Number(timestamp) * 1_000) > maxAgeMs) return false;
  const key = keyOf(publicKey);
  return key !== null && verify(null, Buffer.from(`${timestamp}|${body}`), key, Buffer.from(signature, 'base64'));
}

function keyOf(publicKey: string): KeyObject | null {
  const raw = Buffer.from(publicKey, 'base64');
  if (raw.length !== 32) return null;
  return createPublicKey({ key: Buffer.concat([spkiPrefix, raw]), format: 'der', type: 'spki' });
}
