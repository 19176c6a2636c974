import type { SipTrunkRecord } from '../../domain/numbers/sip-trunk.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { TrunkAccess } from '../../ports/telephony.ts';
import { type Vault, VaultError } from '../../ports/vault.ts';
import { requiredVault } from '../../vault/required-vault.ts';

interface Dependencies {
  readonly storage: Storage;
  readonly vault: Vault | undefined;
}

/**
 * Returns a trunk with its credentials; the password comes from the vault.
 * @throws VaultError; RequestError `unavailable` if there is a password but no vault
 */
export async function trunkAccess(deps: Dependencies, orgId: string, trunk: SipTrunkRecord): Promise<TrunkAccess> {
  const { id, address, transport, media_source: mediaSource } = trunk;
  const { auth_username: username, auth_password_secret_id: secretId } = trunk;
  if (username === null || secretId === null) return { id, address, transport, mediaSource, credentials: null };
  const password = await requiredVault(deps.vault).get({ orgId, id: secretId }, deps.storage);
  if (password === null) {
    throw new VaultError('secret_unreadable', secretId, `The password of the trunk ${id} is not in the vault.`);
  }
  return { id, address, transport, mediaSource, credentials: { username, password } };
}
