import type { PhoneNumberRecord } from '../../domain/numbers/phone-number.ts';
import type { SipTrunkRecord } from '../../domain/numbers/sip-trunk.ts';
import type { Owned } from '../../ports/storage/collection.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { DialedNumber, InboundCarrierTrunk, InboundTrunk } from '../../ports/telephony.ts';
import type { Vault } from '../../ports/vault.ts';
import { carrierAccess, sipAccess } from '../line/trunk-access.ts';
import { dialedSpellings } from './dialed-spellings.ts';

interface FoundNumberDependencies {
  readonly storage: Storage;
  readonly vault: Vault | undefined;
}

/** Limit of the query; more than any organization has. */
const maxTrunks = 1_000;
/** Maximum registered numbers considered for one dialed text; beyond that it is too ambiguous. */
const maxNumbers = 10;

/** A registered number with the trunks that may call it. */
export class FoundNumber implements DialedNumber {
  readonly found: Owned<PhoneNumberRecord>;
  readonly isExact: boolean;
  readonly trunks: readonly InboundTrunk[];
  readonly carrierTrunks: readonly InboundCarrierTrunk[];

  private constructor(
    found: Owned<PhoneNumberRecord>,
    isExact: boolean,
    lines: Pick<FoundNumber, 'trunks' | 'carrierTrunks'>,
  ) {
    this.found = found;
    this.isExact = isExact;
    this.trunks = lines.trunks;
    this.carrierTrunks = lines.carrierTrunks;
  }

  get number(): string {
    return this.found.record.number;
  }

  /** Returns the registered numbers that a dialed text may stand for in any spelling; the exact one first. */
  static async findAll(deps: FoundNumberDependencies, dialed: string): Promise<FoundNumber[]> {
    const { exact, national } = dialedSpellings(dialed);
    // A separate query, so that national spellings cannot push the exact number out of the bounded result.
    const found = await Promise.all([
      FoundNumber.#registered(deps, exact === null ? [] : [exact], true),
      FoundNumber.#registered(deps, national, false),
    ]);
    return found.flat();
  }

  static async #registered(
    deps: FoundNumberDependencies,
    spellings: readonly string[],
    isExact: boolean,
  ): Promise<FoundNumber[]> {
    if (spellings.length === 0) return [];
    const found = await deps.storage.across.numbers.find({ where: { number: { in: spellings } } }, maxNumbers);
    return Promise.all(found.map((each) => FoundNumber.#with(deps, each, isExact)));
  }

  static async #with(
    deps: FoundNumberDependencies,
    found: Owned<PhoneNumberRecord>,
    isExact: boolean,
  ): Promise<FoundNumber> {
    const { orgId } = found;
    const records = await deps.storage.trunks.list(orgId, { where: { is_active: true }, limit: maxTrunks });
    const trunks = records
      .filter(({ type }) => type === 'sip')
      .map((trunk) => ({
        address: trunk.address,
        username: trunk.auth_username,
        mediaSource: trunk.media_source,
        password: async () => (await sipAccess(deps, orgId, trunk)).credentials?.password ?? null,
      }));
    return new FoundNumber(found, isExact, {
      trunks,
      carrierTrunks: records.flatMap((each) => carrierTrunk(deps, orgId, each)),
    });
  }
}

function carrierTrunk(deps: FoundNumberDependencies, orgId: string, trunk: SipTrunkRecord): InboundCarrierTrunk[] {
  const { id, type, account } = trunk;
  if (type === 'sip' || account === null) return [];
  return [{ id, type, account, access: () => carrierAccess(deps, orgId, trunk, type) }];
}
