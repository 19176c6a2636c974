import type { KeyObject } from 'node:crypto';
import type { RandomBytes } from '../ids.ts';
import { VaultError } from '../ports/vault.ts';
import { seal, unseal } from '../vault/aes-gcm.ts';

/** Key that seals secrets in records. The vault stores it as a secret with this id. */
export interface DataKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** Place of a sealed secret in a record. A sealed text that was copied to another place cannot be opened. */
export interface FieldAddress {
  readonly orgId: string;
  readonly recordId: string;
  readonly field: string;
}

const form = /^sealed:1:([0-9a-f-]{36}):([A-Za-z0-9+/=]+):([A-Za-z0-9+/=]+)$/;

/** Returns the id of the key that sealed a text; null for an unsealed text. */
export function keyIdOf(text: string): string | null {
  return form.exec(text)?.[1] ?? null;
}

export function sealText({ id, key }: DataKey, text: string, address: FieldAddress, random: RandomBytes): string {
  const { nonce, ciphertext } = seal(key, text, contextOf(address), random);
  return `sealed:1:${id}:${nonce}:${ciphertext}`;
}

/** @throws VaultError `secret_unreadable` if the text was changed, or sealed for another place */
export function openText(key: KeyObject, sealed: string, address: FieldAddress): string {
  const [, keyId = '', nonce = '', ciphertext = ''] = form.exec(sealed) ?? [];
  const text = unseal(key, { nonce, ciphertext }, contextOf(address));
  if (text !== null) return text;
  const { recordId, field } = address;
  throw new VaultError(
    'secret_unreadable',
    keyId,
    `${field} of the record ${recordId} cannot be opened: it was changed, or sealed for another record. Set it again.`,
  );
}

function contextOf({ orgId, recordId, field }: FieldAddress): Uint8Array {
  return Buffer.from(`va.record.field.v1\0${orgId.toLowerCase()}\0${recordId.toLowerCase()}\0${field}`);
}
