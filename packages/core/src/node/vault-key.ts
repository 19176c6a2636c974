import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { VaError } from '../errors.ts';

const keyBytes = 32;

/** A key and its id in sealed secrets. */
export interface VaultKey {
  /** 16 hexadecimal digits derived from the key, which reveal nothing about it. */
  readonly id: string;
  readonly key: KeyObject;
}

/**
 * Reads a key of 32 bytes, given as base64, base64url or hexadecimal text, or as the bytes themselves.
 * @throws VaError `invalid_vault_key`; the message does not repeat what was given.
 */
export function toVaultKey(given: string | Uint8Array | undefined): VaultKey {
  const bytes = typeof given === 'string' ? decode(given.trim()) : given;
  if (bytes?.length !== keyBytes) {
    const got = given === undefined || given.length === 0 ? 'there is none' : 'this is something else';
    throw new VaError(
      'invalid_vault_key',
      `A vault key is ${keyBytes} bytes, as base64 or hexadecimal text, but ${got}. Make one with: openssl rand ` +
        '-base64 32',
    );
  }
  const id = createHash('sha256').update('va.vault.key-id.v1\0').update(bytes).digest('hex').slice(0, 16);
  return { id, key: createSecretKey(bytes) };
}

function decode(text: string): Uint8Array | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return Buffer.from(text, 'base64');
  return undefined;
}
