import { VaError } from '../errors.ts';
import type { Records } from './storage/records.ts';

/** Identifies a secret: its organization, and the id stored in the organization's records. Both are UUIDs. */
export interface SecretAddress {
  readonly orgId: string;
  readonly id: string;
}

/** A stored secret with its value. */
export interface Secret extends SecretAddress {
  readonly value: string;
}

/**
 * Stores secrets: customer-supplied provider keys and passwords of trunks. Other records contain only their ids.
 *
 * Every method takes the records to work in: within a transaction, that transaction. A vault that stores its secrets
 * beside the records MUST use them, so that a secret and the record that names it are written together. An external
 * vault ignores them; its secrets may outlive a rolled-back transaction.
 *
 * An implementation MUST NOT return a secret to another organization, and MUST NOT write a secret or a key of its own
 * into an error or a log line.
 */
export interface Vault {
  /** Stores a secret under a new id: secrets are replaced, never changed. */
  put(secret: Secret, records: Records): Promise<void>;
  /** Returns null if there is no such secret. Throws `VaultError` if it cannot be read. */
  get(address: SecretAddress, records: Records): Promise<string | null>;
  /** Returns false if there is no such secret. */
  delete(address: SecretAddress, records: Records): Promise<boolean>;
}

/**
 * `vault_key_unknown`: the secret was sealed with a key that the vault does not have. `secret_unreadable`: it was
 * sealed for another organization or id, or was changed. `vault_unavailable`: an external vault does not respond.
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
