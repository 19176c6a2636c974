import { systemClock } from '../clock/system-clock.ts';
import { timestamp } from '../clock/timestamp.ts';
import type { SealedSecret } from '../domain/records/sealed-secret.ts';
import { type RandomBytes, systemRandom } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Records } from '../ports/storage/records.ts';
import { type Secret, type SecretAddress, type Vault, VaultError } from '../ports/vault.ts';
import { seal, unseal } from '../vault/aes-gcm.ts';
import { toVaultKey, type VaultKey } from './vault-key.ts';

const rotationBatch = 100;

/** Options of `aesVault`. */
export interface AesVaultOptions {
  /** 32 bytes, as base64 or hexadecimal text or as bytes. Seals new secrets. */
  readonly key: string | Uint8Array | undefined;
  /** Keys of older secrets, needed until `rotate` has completed. */
  readonly previousKeys?: readonly (string | Uint8Array)[];
  readonly clock?: Clock;
  readonly random?: RandomBytes;
}

/** Result of a key rotation. */
export interface Rotation {
  /** Number of secrets sealed with the new key. */
  readonly resealed: number;
  /** Number of secrets that could not be opened and are unchanged. */
  readonly unreadable: readonly SecretAddress[];
}

/** Stores secrets beside the records, each sealed with AES-256-GCM for its organization and id. */
export class AesVault implements Vault {
  readonly #current: VaultKey;
  readonly #keys: ReadonlyMap<string, VaultKey>;
  readonly #clock: Clock;
  readonly #random: RandomBytes;

  /** @throws VaError `invalid_vault_key` */
  constructor({ key, previousKeys = [], clock = systemClock, random = systemRandom }: AesVaultOptions) {
    this.#current = toVaultKey(key);
    this.#keys = new Map([...previousKeys.map(toVaultKey), this.#current].map((each) => [each.id, each]));
    this.#clock = clock;
    this.#random = random;
  }

  async put({ orgId, id, value }: Secret, records: Records): Promise<void> {
    const sealed = this.#seal({ orgId, id }, value);
    await records.secrets.insert(orgId, { id, ...sealed, created_at: timestamp(this.#clock) });
  }

  async get({ orgId, id }: SecretAddress, records: Records): Promise<string | null> {
    const sealed = await records.secrets.get(orgId, id);
    return sealed === null ? null : this.#unseal(orgId, sealed);
  }

  async delete({ orgId, id }: SecretAddress, records: Records): Promise<boolean> {
    return await records.secrets.delete(orgId, id);
  }

  /**
   * Seals every secret of a previous key with the current one. Safe beside other nodes and while the service runs. When
   * it has completed and every node has the new key, the previous ones can be removed.
   */
  async rotate(records: Records): Promise<Rotation> {
    const previous = [...this.#keys.keys()].filter((id) => id !== this.#current.id);
    if (previous.length === 0) return { resealed: 0, unreadable: [] };
    const unreadable = new Map<string, SecretAddress>();
    let resealed = 0;
    for (;;) {
      // Unreadable secrets are found again each time, so the batch must be larger than their number.
      const found = await records.across.secrets.find(
        { where: { key_id: { in: previous } } },
        rotationBatch + unreadable.size,
      );
      const pending = found.filter(({ record }) => !unreadable.has(record.id));
      if (pending.length === 0) return { resealed, unreadable: [...unreadable.values()] };
      for (const { orgId, record } of pending) {
        if (await this.#reseal(orgId, record, records)) resealed += 1;
        else unreadable.set(record.id, { orgId, id: record.id });
      }
    }
  }

  /** Seals a secret with the current key. Returns false if it cannot be opened. */
  async #reseal(orgId: string, secret: SealedSecret, records: Records): Promise<boolean> {
    let value: string;
    try {
      value = this.#unseal(orgId, secret);
    } catch (thrown) {
      if (thrown instanceof VaultError) return false;
      throw thrown;
    }
    const sealed = this.#seal({ orgId, id: secret.id }, value);
    // No change if it was deleted, or sealed by another node, meanwhile.
    await records.secrets.update(orgId, secret.id, sealed, { key_id: secret.key_id });
    return true;
  }

  #seal(address: SecretAddress, value: string): Omit<SealedSecret, 'id' | 'created_at'> {
    return { key_id: this.#current.id, ...seal(this.#current.key, value, contextOf(address), this.#random) };
  }

  #unseal(orgId: string, secret: SealedSecret): string {
    const key = this.#keys.get(secret.key_id);
    if (key === undefined) {
      throw new VaultError(
        'vault_key_unknown',
        secret.id,
        `The secret ${secret.id} was sealed with the key ${secret.key_id}, which the vault does not have. Give ` +
          'it as one of previousKeys.',
      );
    }
    const value = unseal(key.key, secret, contextOf({ orgId, id: secret.id }));
    if (value === null) {
      throw new VaultError(
        'secret_unreadable',
        secret.id,
        `The secret ${secret.id} cannot be opened: it was changed, or sealed for another organization or id. Set ` +
          'it again.',
      );
    }
    return value;
  }
}

/** Associated data of a secret, which cannot be opened for another organization or id. */
function contextOf({ orgId, id }: SecretAddress): Uint8Array {
  return Buffer.from(`va.vault.secret.v1\0${orgId.toLowerCase()}\0${id.toLowerCase()}`);
}

/**
 * Creates the default vault, which stores sealed secrets beside the records.
 *
 * @example
 * createVoiceAgents({ vault: aesVault({ key: process.env.VA_VAULT_KEY }), ... });
 *
 * @throws VaError `invalid_vault_key`
 */
export function aesVault(options: AesVaultOptions): AesVault {
  return new AesVault(options);
}
