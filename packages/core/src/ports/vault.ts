import { VaError } from '../errors.ts';
import type { Records } from './storage/records.ts';

/** Which secret: its organization, and the id that the organization's records know it by. Both are UUIDs. */
export interface SecretAddress {
  readonly orgId: string;
  readonly id: string;
}

export interface Secret extends SecretAddress {
  readonly value: string;
}

/**
 * Where secrets live: the organizations' own provider keys, the passwords of trunks. Other records hold their ids
 * alone.
 *
 * Every method is given the records to work in: within a transaction, that transaction. A vault that keeps its secrets
 * beside the records MUST use them, so that a secret comes and goes together with the record that names it. A vault
 * elsewhere ignores them; what it keeps may then outlive a transaction that was rolled back.
 *
 * An implementation MUST NOT give a secret to another organization than the one it was put for, and MUST NOT write a
 * secret or a key of its own into an error or a log line.
 */
export interface Vault {
  /** The id is a new one: a secret is never changed, but replaced by another. */
  put(secret: Secret, records: Records): Promise<void>;
  /** Null where there is no such secret. Throws `VaultError` where there is one that cannot be read. */
  get(address: SecretAddress, records: Records): Promise<string | null>;
  /** False where there is no such secret. */
  delete(address: SecretAddress, records: Records): Promise<boolean>;
}

/**
 * `vault_key_unknown`: the secret was sealed with a key that the vault does not have.
 * `secret_unreadable`: it was sealed for another organization or id, or has been changed.
 * `vault_unavailable`: a vault elsewhere does not answer.
 */
export type VaultErrorCode = 'vault_key_unknown' | 'secret_unreadable' | 'vault_unavailable';

/** A secret cannot be read. */
export class VaultError extends VaError {
  readonly secretId: string;

  constructor(code: VaultErrorCode, secretId: string, message: string, options?: { cause?: unknown }) {
    super(code, message, options);
    this.secretId = secretId;
  }
}
