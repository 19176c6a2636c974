import { timestamp } from '../../clock/timestamp.ts';
import {
  createSipTrunkSchema,
  type NewSipTrunk,
  type SipTrunk,
  type SipTrunkChanges,
  type SipTrunkRecord,
  updateSipTrunkSchema,
} from '../../domain/numbers/sip-trunk.ts';
import { uuidv7 } from '../../ids.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { type PageQuery, parsePage } from '../../input/page-query.ts';
import { parseInput } from '../../input/parse-input.ts';
import { checkId, notFound, requireFound } from '../../input/require-found.ts';
import type { Records } from '../../ports/storage/records.ts';
import type { Vault } from '../../ports/vault.ts';
import { requiredVault } from '../../vault/required-vault.ts';
import type { RecordDependencies } from '../dependencies.ts';

/** Every method throws a `RequestError` for invalid requests: 400 for the input, 404 `sip_trunk_not_found`. */
export interface SipTrunkOperations {
  /** Input: `createSipTrunkSchema`. Stores the password in the vault. */
  create(orgId: string, input: NewSipTrunk): Promise<SipTrunk>;
  get(orgId: string, id: string): Promise<SipTrunk>;
  /** Newest first. Query: `limit` (1–1000, default 1000), `offset`. */
  list(orgId: string, query?: PageQuery): Promise<SipTrunk[]>;
  /** Input: `updateSipTrunkSchema`. Changes the given keys only; a null password is deleted from the vault. */
  update(orgId: string, id: string, input: SipTrunkChanges): Promise<SipTrunk>;
  /** Deletes the trunk and removes it from the numbers that transfer through it. */
  delete(orgId: string, id: string): Promise<void>;
}

/** Creates the operations on SIP trunks; `createOperations` creates all groups. */
export function createSipTrunkOperations(
  deps: RecordDependencies & { readonly vault?: Vault | undefined },
): SipTrunkOperations {
  const { storage, clock, random } = deps;

  /** Stores the password in the vault and returns its id there. */
  async function seal(orgId: string, value: string | null | undefined, tx: Records): Promise<string | null> {
    if (value === null || value === undefined) return null;
    const id = uuidv7(clock, random);
    await requiredVault(deps.vault).put({ orgId, id, value }, tx);
    return id;
  }

  return {
    async create(orgId, input) {
      const { auth_password, ...written } = omitUndefined(parseInput(createSipTrunkSchema, input));
      const now = timestamp(clock);
      return await storage.transaction(async (tx) => {
        const record: SipTrunkRecord = {
          id: uuidv7(clock, random),
          auth_username: null,
          auth_password_secret_id: await seal(orgId, auth_password, tx),
          numbers: [],
          transport: 'udp',
          max_concurrent_calls: null,
          media_source: null,
          is_active: true,
          ...written,
          created_at: now,
          updated_at: now,
        };
        await tx.trunks.insert(orgId, record);
        return toTrunk(record);
      });
    },

    async get(orgId, id) {
      checkId('sip_trunk', id);
      return toTrunk(requireFound(await storage.trunks.get(orgId, id), 'sip_trunk', id));
    },

    async list(orgId, query = {}) {
      return (await storage.trunks.list(orgId, parsePage(query))).map(toTrunk);
    },

    async update(orgId, id, input) {
      checkId('sip_trunk', id);
      const { auth_password, ...written } = omitUndefined(parseInput(updateSipTrunkSchema, input));
      return await storage.transaction(async (tx) => {
        const changes = { ...written, updated_at: timestamp(clock) };
        const before = requireFound(await tx.trunks.update(orgId, id, changes), 'sip_trunk', id);
        if (auth_password === undefined) return toTrunk(before);
        const secretId = await seal(orgId, auth_password, tx);
        const after = await tx.trunks.update(orgId, id, { auth_password_secret_id: secretId });
        if (before.auth_password_secret_id !== null)
          await requiredVault(deps.vault).delete({ orgId, id: before.auth_password_secret_id }, tx);
        return toTrunk(requireFound(after, 'sip_trunk', id));
      });
    },

    async delete(orgId, id) {
      checkId('sip_trunk', id);
      await storage.transaction(async (tx) => {
        // Updated first to lock the trunk against a concurrent change of its password.
        const changed = await tx.trunks.update(orgId, id, { updated_at: timestamp(clock) });
        const trunk = requireFound(changed, 'sip_trunk', id);
        const unassigned = { transfer_trunk_id: null, updated_at: timestamp(clock) };
        await tx.numbers.updateMany(orgId, { where: { transfer_trunk_id: id } }, unassigned);
        if (!(await tx.trunks.delete(orgId, id))) throw notFound('sip_trunk', id);
        if (trunk.auth_password_secret_id !== null)
          await requiredVault(deps.vault).delete({ orgId, id: trunk.auth_password_secret_id }, tx);
      });
    },
  };
}

function toTrunk({ auth_password_secret_id: _, ...shown }: SipTrunkRecord): SipTrunk {
  return shown;
}
