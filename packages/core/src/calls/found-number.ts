import type { PhoneNumberRecord } from '../domain/phone-number.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { Owned } from '../ports/storage/verbs.ts';
import type { DialedNumber, InboundTrunk } from '../ports/telephony.ts';
import type { Vault } from '../ports/vault.ts';
import { findNumber } from './routing.ts';
import { trunkAccess } from './trunk-access.ts';

interface Dependencies {
  readonly storage: Storage;
  readonly vault: Vault | undefined;
}

/** More than any organization has. */
const maxTrunks = 1_000;

/** A number as it was found, with the trunks by which it may be called. */
export class FoundNumber implements DialedNumber {
  readonly found: Owned<PhoneNumberRecord>;
  readonly trunks: readonly InboundTrunk[];

  private constructor(found: Owned<PhoneNumberRecord>, trunks: readonly InboundTrunk[]) {
    this.found = found;
    this.trunks = trunks;
  }

  /** Null where nobody has registered it. */
  static async find(deps: Dependencies, dialed: string): Promise<FoundNumber | null> {
    const { storage } = deps;
    const found = await findNumber(storage, dialed);
    if (found === null) return null;
    const { orgId } = found;
    const trunks = await storage.trunks.list(orgId, { where: { is_active: true }, limit: maxTrunks });
    return new FoundNumber(
      found,
      trunks.map((trunk) => ({
        address: trunk.address,
        username: trunk.auth_username,
        mediaSource: trunk.media_source,
        password: async () => (await trunkAccess(deps, orgId, trunk)).credentials?.password ?? null,
      })),
    );
  }
}
