import { timestamp } from '../../clock/timestamp.ts';
import { type CarrierType, carrierHosts } from '../../domain/numbers/carrier-account.ts';
import {
  createCarrierTrunkSchema,
  createSipTrunkSchema,
  type NewSipTrunk,
  type SipTrunk,
  type SipTrunkChanges,
  type SipTrunkRecord,
  updateCarrierTrunkSchemas,
  updateSipTrunkSchema,
} from '../../domain/numbers/sip-trunk.ts';
import type { TrunkHealth } from '../../domain/numbers/trunk-health.ts';
import { uuidv7 } from '../../ids.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { type PageQuery, parsePage } from '../../input/page-query.ts';
import { invalidInput, parseInput } from '../../input/parse-input.ts';
import { checkId, notFound, requireFound } from '../../input/require-found.ts';
import type { Records } from '../../ports/storage/records.ts';
import type { Vault } from '../../ports/vault.ts';
import { requiredVault } from '../../vault/required-vault.ts';
import type { RecordDependencies } from '../dependencies.ts';
import { allTrunkHealth, type TrunkHealthDependencies, trunkHealth } from './trunk-health.ts';

/** Every method throws a `RequestError` for invalid requests: 400 for the input, 404 `sip_trunk_not_found`. */
export interface SipTrunkOperations {
  /** Input: `createTrunkSchema`. Stores the password or the carrier's credentials in the vault. */
  create(orgId: string, input: NewSipTrunk): Promise<SipTrunk>;
  get(orgId: string, id: string): Promise<SipTrunk>;
  /** Newest first. Query: `limit` (1–1000, default 1000), `offset`. */
  list(orgId: string, query?: PageQuery): Promise<SipTrunk[]>;
  /**
   * Input: `updateSipTrunkSchema`, or the one of `updateCarrierTrunkSchemas` for the trunk's type. Changes only the
   * given keys; a null password is deleted from the vault.
   */
  update(orgId: string, id: string, input: SipTrunkChanges): Promise<SipTrunk>;
  /** Returns whether calls can go out by the trunk, as far as the nodes of the deployment know. */
  health(orgId: string, id: string): Promise<TrunkHealth>;
  /** Returns the health of all trunks, newest trunk first. */
  healthOfAll(orgId: string): Promise<TrunkHealth[]>;
  /** Deletes the trunk with its secrets and removes it from the numbers that transfer through it. */
  delete(orgId: string, id: string): Promise<void>;
}

export interface SipTrunkDependencies extends RecordDependencies, TrunkHealthDependencies {
  readonly vault?: Vault | undefined;
  /** Carriers that an adapter of the host serves; trunks of others are refused. All by default. */
  readonly carriers?: readonly CarrierType[] | undefined;
}

/** Fields of a trunk that hold the vault ids of its secrets. */
const secretFields = ['auth_password_secret_id', 'credentials_secret_id'] as const;

type TrunkSecrets = Partial<Pick<SipTrunkRecord, (typeof secretFields)[number]>>;

/** The written fields of a trunk, and its secrets as text; null deletes one, undefined keeps it. */
interface WrittenTrunk {
  readonly fields: Partial<SipTrunkRecord>;
  readonly secrets: Readonly<Record<(typeof secretFields)[number], string | null | undefined>>;
}

/** Creates the operations on trunks; `createOperations` creates all groups. */
export function createSipTrunkOperations(deps: SipTrunkDependencies): SipTrunkOperations {
  const { storage, clock, random } = deps;

  /** Stores the given secrets in the vault and returns their ids there. */
  async function seal(orgId: string, secrets: WrittenTrunk['secrets'], tx: Records): Promise<TrunkSecrets> {
    const ids: TrunkSecrets = {};
    for (const field of secretFields) {
      const value = secrets[field];
      if (value === undefined) continue;
      ids[field] = value === null ? null : uuidv7(clock, random);
      if (value !== null) await requiredVault(deps.vault).put({ orgId, id: ids[field] ?? '', value }, tx);
    }
    return ids;
  }

  async function forget(orgId: string, id: string | null, tx: Records): Promise<void> {
    if (id !== null) await requiredVault(deps.vault).delete({ orgId, id }, tx);
  }

  return {
    async create(orgId, input) {
      const { fields, secrets } = parseNew(input, deps.carriers);
      const now = timestamp(clock);
      return await storage.transaction(async (tx) => {
        const record: SipTrunkRecord = {
          ...fields,
          id: uuidv7(clock, random),
          auth_password_secret_id: null,
          credentials_secret_id: null,
          ...(await seal(orgId, secrets, tx)),
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

    health: (orgId, id) => trunkHealth(deps, orgId, id),

    healthOfAll: (orgId) => allTrunkHealth(deps, orgId),

    async update(orgId, id, input) {
      checkId('sip_trunk', id);
      // The type of a trunk never changes, so it is read outside the transaction.
      const { type } = requireFound(await storage.trunks.get(orgId, id), 'sip_trunk', id);
      const { fields, secrets } = parseChanges(type, input);
      return await storage.transaction(async (tx) => {
        const changes = { ...fields, updated_at: timestamp(clock) };
        const before = requireFound(await tx.trunks.update(orgId, id, changes), 'sip_trunk', id);
        const ids = await seal(orgId, secrets, tx);
        const replaced = secretFields.filter((field) => ids[field] !== undefined);
        if (replaced.length === 0) return toTrunk(before);
        const after = await tx.trunks.update(orgId, id, ids);
        for (const field of replaced) await forget(orgId, before[field], tx);
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
        for (const field of secretFields) await forget(orgId, trunk[field], tx);
      });
    },
  };
}

type NewFields = Omit<SipTrunkRecord, 'id' | 'created_at' | 'updated_at' | (typeof secretFields)[number]>;

const defaults = {
  type: 'sip',
  account: null,
  auth_username: null,
  numbers: [],
  transport: 'udp',
  max_concurrent_calls: null,
  media_source: null,
  is_active: true,
} as const satisfies Partial<NewFields>;

/** @throws RequestError 400 */
function parseNew(
  input: NewSipTrunk,
  carriers: readonly CarrierType[] | undefined,
): WrittenTrunk & { readonly fields: NewFields } {
  if (input?.type === undefined || input.type === 'sip') {
    const { auth_password, ...written } = omitUndefined(parseInput(createSipTrunkSchema, input));
    const secrets = { auth_password_secret_id: auth_password, credentials_secret_id: null };
    return { fields: { ...defaults, numbers: [], ...written }, secrets };
  }
  const { credentials, ...written } = omitUndefined(parseInput(createCarrierTrunkSchema, input));
  const { type } = written;
  if (carriers !== undefined && !carriers.includes(type)) {
    const message = `expected one of ${['sip', ...carriers].join(', ')}: no telephony adapter serves ${type}`;
    throw invalidInput([{ path: 'type', code: 'invalid_field', message }]);
  }
  return {
    fields: { ...defaults, numbers: [], provider: type, address: carrierHosts[type], ...written },
    secrets: { auth_password_secret_id: null, credentials_secret_id: JSON.stringify(credentials) },
  };
}

/** @throws RequestError 400 */
function parseChanges(type: SipTrunkRecord['type'], input: SipTrunkChanges): WrittenTrunk {
  if (type === 'sip') {
    const { auth_password, ...fields } = omitUndefined(parseInput(updateSipTrunkSchema, input));
    return { fields, secrets: { auth_password_secret_id: auth_password, credentials_secret_id: undefined } };
  }
  const { credentials, ...fields } = omitUndefined(parseInput(updateCarrierTrunkSchemas[type], input));
  const sealed = credentials === undefined ? undefined : JSON.stringify(credentials);
  return { fields, secrets: { auth_password_secret_id: undefined, credentials_secret_id: sealed } };
}

function toTrunk({ auth_password_secret_id: _, credentials_secret_id: __, ...shown }: SipTrunkRecord): SipTrunk {
  return shown;
}
