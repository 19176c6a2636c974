import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { RandomBytes } from '../ids.ts';

/** @see NIST SP 800-38D §8.2.2: random nonces of 96 bits, for up to 2^32 secrets under one key. */
const nonceBytes = 12;
const tagBytes = 16;

export interface Sealed {
  /** Base64. */
  readonly nonce: string;
  /** Ciphertext and tag, base64. */
  readonly ciphertext: string;
}

/** Encrypts a text with `context` as associated data. */
export function seal(key: KeyObject, text: string, context: Uint8Array, random: RandomBytes): Sealed {
  const nonce = random(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(context);
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { nonce: Buffer.from(nonce).toString('base64'), ciphertext: ciphertext.toString('base64') };
}

/** Decrypts a text; returns null unless key, context, nonce and ciphertext match. */
export function unseal(key: KeyObject, sealed: Sealed, context: Uint8Array): string | null {
  const nonce = Buffer.from(sealed.nonce, 'base64');
  const ciphertext = Buffer.from(sealed.ciphertext, 'base64');
  if (nonce.length !== nonceBytes || ciphertext.length < tagBytes) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    .setAAD(context)
    .setAuthTag(ciphertext.subarray(-tagBytes));
  const text = decipher.update(ciphertext.subarray(0, -tagBytes));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    // Authentication failed; node:crypto gives no other reason.
    return null;
  }
}
