import type { Storage } from '../ports/storage/storage.ts';
import type { InboundTrunk } from '../ports/telephony.ts';
import type { Vault } from '../ports/vault.ts';
import { findNumber } from './routing.ts';
import { trunkAccess } from './trunk-access.ts';

/** More than any organization has. */
const maxTrunks = 1_000;

/** The trunks by which a number may be called; null where nobody has registered it. */
export async function inboundTrunks(
  deps: { readonly storage: Storage; readonly vault: Vault | undefined },
  dialed: string,
): Promise<readonly InboundTrunk[] | null> {
  const { storage } = deps;
  const found = await findNumber(storage, dialed);
  if (found === null) return null;
  const { orgId } = found;
  const trunks = await storage.trunks.list(orgId, { where: { is_active: true }, limit: maxTrunks });
  return trunks.map((trunk) => ({
    address: trunk.address,
    username: trunk.auth_username,
    password: async () => (await trunkAccess(deps, orgId, trunk)).credentials?.password ?? null,
  }));
}
