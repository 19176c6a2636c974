import { RequestError, VaError } from '../errors.ts';
import type { RandomBytes } from '../ids.ts';
import type { Changes, Collection, CollectionAcross, Owned } from '../ports/storage/collection.ts';
import type { StoredRecord } from '../records/stored-record.ts';
import type { KeyScope } from './data-keys.ts';
import { keyIdOf, openText, sealText } from './sealed-text.ts';
import type { MapSecrets } from './secret-fields.ts';

export interface Sealing<R> {
  readonly mapSecrets: MapSecrets<R>;
  readonly scope: Pick<KeyScope, 'open' | 'current'>;
  readonly random: RandomBytes;
  /** True if secrets are sealed when they are written. */
  readonly isSealing: boolean;
}

/**
 * Seals the secrets of records before they are stored, and opens them when they are read. Unsealed secrets are read as
 * they are.
 */
export class RecordSealer<R extends StoredRecord> {
  readonly #sealing: Sealing<R>;

  constructor(sealing: Sealing<R>) {
    this.#sealing = sealing;
  }

  async seal<P extends Partial<R>>(orgId: string, recordId: string, part: P): Promise<P> {
    const { mapSecrets, scope, random, isSealing } = this.#sealing;
    return await mapSecrets(part, async (secret, field) => {
      if (!isSealing) return plainSecret(secret, field);
      const key = await scope.current(orgId);
      // If the organization does not exist, the storage refuses the write anyway.
      return key === null ? secret : sealText(key, secret, { orgId, recordId, field }, random);
    });
  }

  /** @throws VaultError */
  async open(orgId: string, record: R): Promise<R> {
    const { mapSecrets, scope } = this.#sealing;
    return await mapSecrets(record, async (secret, field) => {
      const keyId = keyIdOf(secret);
      if (keyId === null) return secret;
      const { key } = await scope.open(orgId, keyId);
      return openText(key, secret, { orgId, recordId: record.id, field });
    });
  }

  async openMaybe(orgId: string, record: R | null): Promise<R | null> {
    return record === null ? null : await this.open(orgId, record);
  }

  /** Throws if the changes contain a secret: a change of many records cannot be sealed separately for each of them. */
  async refuseSecrets(changes: Changes<R>): Promise<void> {
    await this.#sealing.mapSecrets(changes as Partial<R>, async (_secret, field) => {
      throw new VaError('internal_error', `${field} is sealed for each record: write it to one record at a time.`);
    });
  }
}

/** Returns a secret to store unsealed, without a vault. Throws for one that looks sealed: it could not be read back. */
function plainSecret(secret: string, field: string): string {
  if (keyIdOf(secret) === null) return secret;
  throw new RequestError(400, 'invalid_field', `${field} must not have the form of a sealed secret (sealed:1:…).`, [
    { path: field, code: 'invalid_field', message: 'must not have the form of a sealed secret' },
  ]);
}

/** Returns a collection whose secrets are sealed at rest. */
export function sealedCollection<R extends StoredRecord>(
  collection: () => Collection<R>,
  sealing: Sealing<R>,
): Collection<R> {
  const sealer = new RecordSealer(sealing);
  return {
    insert: async (orgId, record) => await collection().insert(orgId, await sealer.seal(orgId, record.id, record)),
    insertMany: async (orgId, records) => {
      const sealed: R[] = [];
      for (const record of records) sealed.push(await sealer.seal(orgId, record.id, record));
      return await collection().insertMany(orgId, sealed);
    },
    get: async (orgId, id) => await sealer.openMaybe(orgId, await collection().get(orgId, id)),
    lock: async (orgId, id, expected) => await sealer.openMaybe(orgId, await collection().lock(orgId, id, expected)),
    list: async (orgId, query) => {
      const records = await collection().list(orgId, query);
      return await Promise.all(records.map((record) => sealer.open(orgId, record)));
    },
    count: (orgId, filter, atMost) => collection().count(orgId, filter, atMost),
    sum: (orgId, fields, filter) => collection().sum(orgId, fields, filter),
    sumItems: (orgId, query) => collection().sumItems(orgId, query),
    sumGroups: (orgId, query) => collection().sumGroups(orgId, query),
    update: async (orgId, id, changes, expected) => {
      const sealed = (await sealer.seal(orgId, id, changes as Partial<R>)) as Changes<R>;
      return await sealer.openMaybe(orgId, await collection().update(orgId, id, sealed, expected));
    },
    updateMany: async (orgId, filter, changes) => {
      if (sealing.isSealing) await sealer.refuseSecrets(changes);
      return await collection().updateMany(orgId, filter, changes);
    },
    increment: async (orgId, id, amounts, expected) =>
      await sealer.openMaybe(orgId, await collection().increment(orgId, id, amounts, expected)),
    delete: (orgId, id, expected) => collection().delete(orgId, id, expected),
  };
}

/** Returns the collection over all organizations whose secrets are sealed at rest. */
export function sealedAcross<R extends StoredRecord>(
  across: () => CollectionAcross<R>,
  sealing: Sealing<R>,
): CollectionAcross<R> {
  const sealer = new RecordSealer(sealing);
  const openAll = async (owned: readonly Owned<R>[]): Promise<Owned<R>[]> =>
    await Promise.all(owned.map(async ({ orgId, record }) => ({ orgId, record: await sealer.open(orgId, record) })));
  return {
    insertMany: async (owned) => {
      const sealed: Owned<R>[] = [];
      for (const { orgId, record } of owned)
        sealed.push({ orgId, record: await sealer.seal(orgId, record.id, record) });
      return await across().insertMany(sealed);
    },
    find: async (filter, limit, orderBy) => await openAll(await across().find(filter, limit, orderBy)),
    claim: async (claim) => await openAll(await across().claim(claim)),
    purge: (filter, limit) => across().purge(filter, limit),
  };
}
