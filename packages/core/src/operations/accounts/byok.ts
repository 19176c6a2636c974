import { timestamp } from '../../clock/timestamp.ts';
import {
  type ByokKeyRecord,
  type ByokKeys,
  type ByokProvider,
  type DeletedByokKey,
  deleteByokKeySchema,
  type NewByokKey,
  setByokKeySchema,
} from '../../domain/accounts/byok.ts';
import { UniqueViolation, VaError } from '../../errors.ts';
import { uuidv7 } from '../../ids.ts';
import { invalidInput, parseInput } from '../../input/parse-input.ts';
import { notFound } from '../../input/require-found.ts';
import type { Records } from '../../ports/storage/records.ts';
import type { Vault } from '../../ports/vault.ts';
import { requiredVault } from '../../vault/required-vault.ts';
import type { RecordDependencies } from '../dependencies.ts';

/**
 * Customer-supplied provider keys. Throws a `RequestError` for invalid requests, and 503 `unavailable` without a vault.
 */
export interface ByokOperations {
  /** Input: `provider` and `api_key`. Adds or replaces the key. */
  set(orgId: string, input: NewByokKey): Promise<ByokKeys>;
  list(orgId: string): Promise<ByokKeys>;
  /** Input: `provider`. 404 `byok_key_not_found`. */
  delete(orgId: string, input: DeletedByokKey): Promise<ByokKeys>;
  /** Deletes by the provider's id: 404 `byok_key_not_found`, also for an unknown provider. */
  deleteOf(orgId: string, provider: string): Promise<ByokKeys>;
  /** Returns the providers that accept customer-supplied keys. */
  config(): readonly ByokProvider[];
}

/** Dependencies of the operations on provider keys. */
export interface ByokDependencies extends RecordDependencies {
  readonly vault?: Vault | undefined;
  readonly byokProviders: readonly ByokProvider[];
}

/** Maximum attempts of a change that conflicts with concurrent changes of the same key. */
const mostAttempts = 10;

/** Creates the operations on customer-supplied provider keys; `createOperations` creates all groups. */
export function createByokOperations(deps: ByokDependencies): ByokOperations {
  const { storage, clock, random, byokProviders } = deps;

  /** Returns the vault ids of the organization's keys by field; null for a provider without a key. */
  async function keys(orgId: string): Promise<ByokKeys> {
    const records = await storage.byokKeys.list(orgId, { limit: 1_000, order: 'oldest' });
    return Object.fromEntries([
      ...byokProviders.map(({ id }) => [fieldOf(id), null]),
      ...records.map((record) => [fieldOf(record.provider), record.secret_id]),
    ]);
  }

  function checkKnown(provider: string): void {
    if (byokProviders.some(({ id }) => id === provider)) return;
    const known = [...new Set(byokProviders.map(({ id }) => id))].join(', ');
    throw invalidInput([{ path: 'provider', code: 'invalid_field', message: `expected one of ${known}` }]);
  }

  async function put(orgId: string, provider: string, value: string, vault: Vault, tx: Records): Promise<void> {
    const now = timestamp(clock);
    const secretId = uuidv7(clock, random);
    await vault.put({ orgId, id: secretId, value }, tx);
    const before = await lockedRecord(orgId, provider, now, tx);
    if (before === null) {
      const record = { id: uuidv7(clock, random), provider, secret_id: secretId, created_at: now, updated_at: now };
      await tx.byokKeys.insert(orgId, record);
      return;
    }
    const changes = { secret_id: secretId, updated_at: now };
    const changed = await tx.byokKeys.update(orgId, before.id, changes, { secret_id: before.secret_id });
    if (changed === null) throw new KeyChanged();
    await vault.delete({ orgId, id: before.secret_id }, tx);
  }

  async function remove(orgId: string, provider: string, onAbsent: () => void): Promise<ByokKeys> {
    const vault = requiredVault(deps.vault);
    await untilUndisturbed(() =>
      storage.transaction(async (tx) => {
        const record = await lockedRecord(orgId, provider, timestamp(clock), tx);
        if (record === null) {
          onAbsent();
          throw notFound('byok_key', provider);
        }
        const deleted = await tx.byokKeys.delete(orgId, record.id, { secret_id: record.secret_id });
        if (!deleted) throw new KeyChanged();
        await vault.delete({ orgId, id: record.secret_id }, tx);
      }),
    );
    return await keys(orgId);
  }

  return {
    async set(orgId, input) {
      const vault = requiredVault(deps.vault);
      const { provider, api_key } = parseInput(setByokKeySchema, input);
      checkKnown(provider);
      await untilUndisturbed(() => storage.transaction((tx) => put(orgId, provider, api_key, vault, tx)));
      return await keys(orgId);
    },

    list: keys,

    async delete(orgId, input) {
      const { provider } = parseInput(deleteByokKeySchema, input);
      return await remove(orgId, provider, () => checkKnown(provider));
    },

    deleteOf: (orgId, provider) => remove(orgId, provider, () => {}),

    config: () => byokProviders,
  };
}

function fieldOf(provider: string): string {
  return `${provider}_secret_id`;
}

/** Locks and returns the record of a key, so that concurrent changes wait for this transaction. */
async function lockedRecord(orgId: string, provider: string, now: string, tx: Records): Promise<ByokKeyRecord | null> {
  const [record] = await tx.byokKeys.list(orgId, { where: { provider }, limit: 1 });
  if (record === undefined) return null;
  const locked = await tx.byokKeys.update(orgId, record.id, { updated_at: now });
  if (locked === null) throw new KeyChanged();
  return locked;
}

/** Another request changed the record between its read and its update. */
class KeyChanged extends VaError {
  constructor() {
    super('byok_key_changed', 'The key was changed by another request at the same time.');
  }
}

async function untilUndisturbed(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (thrown) {
      const disturbed = thrown instanceof KeyChanged || thrown instanceof UniqueViolation;
      if (!disturbed || attempt === mostAttempts) throw thrown;
    }
  }
}
