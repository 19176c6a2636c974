import { createSecretKey } from 'node:crypto';
import { type RandomBytes, uuidv7 } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Records } from '../ports/storage/records.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { type Vault, VaultError } from '../ports/vault.ts';
import type { DataKey } from './sealed-text.ts';

const keyBytes = 32;
/** Maximum organizations whose keys are cached. */
const maxKept = 10_000;

export interface DataKeysOptions {
  /** Without a vault nothing is sealed, and sealed secrets cannot be opened. */
  readonly vault: Vault | undefined;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** Cached keys by organization and id, and each organization's key for new secrets. */
class KnownKeys {
  readonly #keys = new Map<string, DataKey>();
  readonly #current = new Map<string, DataKey>();

  get(orgId: string, id: string): DataKey | undefined {
    return this.#keys.get(`${orgId} ${id}`);
  }

  current(orgId: string): DataKey | undefined {
    return this.#current.get(orgId);
  }

  add(orgId: string, key: DataKey): void {
    if (this.#keys.size >= maxKept) this.#keys.clear();
    this.#keys.set(`${orgId} ${key.id}`, key);
  }

  setCurrent(orgId: string, key: DataKey): void {
    if (this.#current.size >= maxKept) this.#current.clear();
    this.#current.set(orgId, key);
  }

  addAll(other: KnownKeys): void {
    for (const [name, key] of other.#keys) this.#keys.set(name, key);
    for (const [orgId, key] of other.#current) this.setCurrent(orgId, key);
  }
}

/**
 * Data keys that seal the secrets in records, one per organization. The vault stores each under the organization's
 * `sealing_key_id`, so that any vault works and its rotation covers them. Keys are cached: only the first use of an
 * organization's key in a process needs a vault request.
 */
export class DataKeys {
  readonly #storage: Storage;
  readonly #options: DataKeysOptions;
  readonly #known = new KnownKeys();

  constructor(storage: Storage, options: DataKeysOptions) {
    this.#storage = storage;
    this.#options = options;
  }

  get random(): RandomBytes {
    return this.#options.random;
  }

  /** Returns true if secrets are sealed when written. */
  get isSealing(): boolean {
    return this.#options.vault !== undefined;
  }

  /** Returns the keys for use outside of transactions. */
  outside(): KeyScope {
    return new KeyScope(this.#options, this.#known, this.#known, this.#storage, async (orgId) => {
      await this.within(this.#storage, async (_tx, scope) => void (await scope.current(orgId)));
    });
  }

  /** Runs a transaction. Keys created in it become visible to others at the commit. */
  async within<T>(storage: Storage, work: (tx: Records, scope: KeyScope) => Promise<T>): Promise<T> {
    let learned = new KnownKeys();
    const result = await storage.transaction(async (tx) => {
      learned = new KnownKeys();
      return await work(tx, new KeyScope(this.#options, this.#known, learned, tx, null));
    });
    this.#known.addAll(learned);
    return result;
  }
}

/** The keys as visible to some records: those of the storage, or of a transaction that may have created keys. */
export class KeyScope {
  readonly #options: DataKeysOptions;
  readonly #shared: KnownKeys;
  readonly #own: KnownKeys;
  readonly #records: Records;
  /** Creates an organization's key in a transaction of its own; null if the scope is in a transaction already. */
  readonly #makeOutside: ((orgId: string) => Promise<void>) | null;

  constructor(
    options: DataKeysOptions,
    shared: KnownKeys,
    own: KnownKeys,
    records: Records,
    makeOutside: ((orgId: string) => Promise<void>) | null,
  ) {
    this.#options = options;
    this.#shared = shared;
    this.#own = own;
    this.#records = records;
    this.#makeOutside = makeOutside;
  }

  /** Returns a key, from the vault unless it is cached. @throws VaultError */
  async open(orgId: string, id: string): Promise<DataKey> {
    const known = this.#own.get(orgId, id) ?? this.#shared.get(orgId, id);
    if (known !== undefined) return known;
    const { vault } = this.#options;
    if (vault === undefined) {
      const message =
        'A secret of the record is sealed, and this deployment has no vault. Configure the one that sealed it.';
      throw new VaultError('vault_unavailable', id, message);
    }
    const value = await vault.get({ orgId, id }, this.#records);
    if (value === null) {
      throw new VaultError('secret_unreadable', id, `The key ${id} of the organization's records is not in the vault.`);
    }
    return this.#learn(orgId, { id, key: createSecretKey(Buffer.from(value, 'base64')) });
  }

  /** Returns the key for new secrets and creates it if necessary; null if the organization does not exist. */
  async current(orgId: string): Promise<DataKey | null> {
    const known = this.#own.current(orgId) ?? this.#shared.current(orgId);
    if (known !== undefined) return known;
    const organization = await this.#records.organizations.get(orgId, orgId);
    if (organization === null) return null;
    const { sealing_key_id: id } = organization;
    if (id !== null) return this.#setCurrent(orgId, await this.open(orgId, id));
    if (this.#makeOutside !== null) {
      await this.#makeOutside(orgId);
      return this.#shared.current(orgId) ?? null;
    }
    const made = newDataKey(this.#options);
    const expected = { sealing_key_id: null };
    const changed = await this.#records.organizations.update(orgId, orgId, { sealing_key_id: made.key.id }, expected);
    // A concurrent transaction has committed its key.
    if (changed === null) return await this.current(orgId);
    await this.put(orgId, made);
    return made.key;
  }

  /** Stores a new key in the vault for the organization. */
  async put(orgId: string, { key, value }: NewDataKey): Promise<void> {
    await this.#options.vault?.put({ orgId, id: key.id, value }, this.#records);
    this.#setCurrent(orgId, this.#learn(orgId, key));
  }

  #learn(orgId: string, key: DataKey): DataKey {
    this.#own.add(orgId, key);
    return key;
  }

  #setCurrent(orgId: string, key: DataKey): DataKey {
    this.#own.setCurrent(orgId, key);
    return key;
  }
}

export interface NewDataKey {
  readonly key: DataKey;
  /** The key as text, as stored in the vault. */
  readonly value: string;
}

export function newDataKey({ clock, random }: Pick<DataKeysOptions, 'clock' | 'random'>): NewDataKey {
  const bytes = Buffer.from(random(keyBytes));
  return { key: { id: uuidv7(clock, random), key: createSecretKey(bytes) }, value: bytes.toString('base64') };
}
