import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Key pair for webhook signatures (Ed25519). */
export interface TelnyxKeys {
  readonly privateKey: KeyObject;
  /** 32 bytes in base64, as Telnyx shows it. */
  readonly publicKey: string;
}

/** Generates an Ed25519 key pair; the public key is Base64 text, as Telnyx shows it. */
export function telnyxKeys(): TelnyxKeys {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { privateKey, publicKey: der.subarray(-32).toString('base64') };
}

/** Returns the headers of a webhook: an Ed25519 signature over timestamp and body. */
export function telnyxSignature(keys: TelnyxKeys, body: string, wallMs: number): Record<string, string> {
  const timestamp = String(Math.floor(wallMs / 1_000));
  const signature = sign(null, Buffer.from(`${timestamp}|${body}`), keys.privateKey).toString('base64');
  return { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature };
}
