import { type ProviderTraits, vendorOf } from '../ports/providers/provider-traits.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { type Vault, VaultError } from '../ports/vault.ts';
import { requiredVault } from '../vault/required-vault.ts';

type KeyedProvider = ProviderTraits & { readonly id: string };

interface OwnKeysDependencies {
  readonly storage: Storage;
  readonly vault: Vault | undefined;
}

/** An organization's own provider keys for one call. They are in a private field, which is not logged. */
export class OwnKeys {
  readonly #keys: ReadonlyMap<string, string>;

  constructor(keys: ReadonlyMap<string, string> = new Map()) {
    this.#keys = keys;
  }

  /** Returns session options with the organization's key; empty if it has none, so that the adapter's key is used. */
  of(provider: KeyedProvider): { apiKey?: string } {
    const apiKey = this.#keys.get(vendorOf(provider));
    return apiKey === undefined ? {} : { apiKey };
  }
}

/**
 * Reads the organization's keys for these providers. Rejects if a key exists but cannot be read: with the host's key
 * instead, the host would pay.
 * @throws VaultError; RequestError `unavailable` if there is a key but no vault
 */
export async function readOwnKeys(
  deps: OwnKeysDependencies,
  orgId: string,
  providers: readonly KeyedProvider[],
): Promise<OwnKeys> {
  const vendors = [...new Set(providers.filter(({ isLocal }) => !isLocal).map(vendorOf))];
  const found = await Promise.all(vendors.map(async (vendor) => [vendor, await readKey(deps, orgId, vendor)] as const));
  return new OwnKeys(new Map(found.flatMap(([vendor, key]) => (key === null ? [] : [[vendor, key] as const]))));
}

async function readKey(
  deps: OwnKeysDependencies,
  orgId: string,
  vendor: string,
  missing?: string,
): Promise<string | null> {
  const { storage, vault } = deps;
  const [record] = await storage.byokKeys.list(orgId, { where: { provider: vendor }, limit: 1 });
  if (record === undefined) return null;
  const { secret_id: id } = record;
  const key = await requiredVault(vault).get({ orgId, id }, storage);
  if (key !== null) return key;
  // A key that was just replaced has another secret.
  if (id !== missing) return await readKey(deps, orgId, vendor, id);
  const message = `The organization's key for ${vendor} is not in the vault. Set it again.`;
  throw new VaultError('secret_unreadable', id, message);
}
