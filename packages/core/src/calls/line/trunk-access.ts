import { type CarrierType, carrierCredentialSchemas } from '../../domain/numbers/carrier-account.ts';
import type { SipTrunkRecord } from '../../domain/numbers/sip-trunk.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { CarrierAccess, DialRequest, TrunkAccess } from '../../ports/telephony.ts';
import { type Vault, VaultError } from '../../ports/vault.ts';
import { requiredVault } from '../../vault/required-vault.ts';

interface TrunkAccessDependencies {
  readonly storage: Storage;
  readonly vault: Vault | undefined;
}

/** A call to place over a trunk of any type. */
export interface TrunkDialRequest extends Omit<DialRequest, 'trunk'> {
  readonly trunk: TrunkAccess | CarrierAccess;
}

/**
 * Returns a trunk with its credentials, which come from the vault.
 * @throws VaultError; RequestError `unavailable` if there are credentials but no vault
 */
export async function trunkAccess(
  deps: TrunkAccessDependencies,
  orgId: string,
  trunk: SipTrunkRecord,
): Promise<TrunkAccess | CarrierAccess> {
  return trunk.type === 'sip'
    ? await sipAccess(deps, orgId, trunk)
    : await carrierAccess(deps, orgId, trunk, trunk.type);
}

/** @throws VaultError; RequestError `unavailable` if there is a password but no vault */
export async function sipAccess(
  deps: TrunkAccessDependencies,
  orgId: string,
  trunk: SipTrunkRecord,
): Promise<TrunkAccess> {
  const { id, address, transport, media_source: mediaSource } = trunk;
  const { auth_username: username, auth_password_secret_id: secretId } = trunk;
  if (username === null || secretId === null) return { id, address, transport, mediaSource, credentials: null };
  const password = await readSecret(deps, orgId, trunk.id, secretId);
  return { id, address, transport, mediaSource, credentials: { username, password } };
}

/** @throws VaultError; RequestError `unavailable` without a vault */
export async function carrierAccess(
  deps: TrunkAccessDependencies,
  orgId: string,
  { id, account, credentials_secret_id: secretId }: SipTrunkRecord,
  type: CarrierType,
): Promise<CarrierAccess> {
  if (account === null || secretId === null) {
    throw new VaultError('secret_unreadable', id, `The trunk ${id} has no credentials.`);
  }
  const credentials: unknown = JSON.parse(await readSecret(deps, orgId, id, secretId));
  return { id, type, account, credentials: carrierCredentialSchemas[type].parse(credentials) };
}

async function readSecret(
  deps: TrunkAccessDependencies,
  orgId: string,
  trunkId: string,
  secretId: string,
): Promise<string> {
  const secret = await requiredVault(deps.vault).get({ orgId, id: secretId }, deps.storage);
  if (secret !== null) return secret;
  throw new VaultError('secret_unreadable', secretId, `The credentials of the trunk ${trunkId} are not in the vault.`);
}
