import { aesVault } from '@va/core';
import { memory } from '@va/storage/memory';
import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/ids.ts';
import type { Storage } from '../../src/ports/storage/storage.ts';
import type { Vault } from '../../src/ports/vault.ts';
import { DataKeys } from '../../src/sealing/data-keys.ts';
import { organizationOf, orgId, otherOrgId, unknownId } from '../operations/support.ts';

let clock: VirtualClock;
let storage: Storage;
/** Requests to the vault. */
let asked: string[];
let vault: Vault;

beforeEach(async () => {
  clock = new VirtualClock();
  storage = memory();
  for (const id of [orgId, otherOrgId]) await storage.organizations.insert(id, organizationOf(id, clock));
  asked = [];
  const inner = aesVault({ key: Buffer.alloc(32, 7) });
  vault = {
    put: (secret, records) => {
      asked.push('put');
      return inner.put(secret, records);
    },
    get: (address, records) => {
      asked.push('get');
      return inner.get(address, records);
    },
    delete: (address, records) => inner.delete(address, records),
  };
});

const keysWith = (given: Vault | undefined): DataKeys =>
  new DataKeys(storage, { vault: given, clock, random: systemRandom });
const sealingKeyId = async (id = orgId): Promise<string | null | undefined> =>
  (await storage.organizations.get(id, id))?.sealing_key_id;

async function currentId(keys: DataKeys, id = orgId): Promise<string | undefined> {
  return (await keys.outside().current(id))?.id;
}

describe('the data key of an organization', () => {
  it('is created when it is first needed, and named by the organization', async () => {
    const keys = keysWith(vault);
    const id = await currentId(keys);
    expect(id).toBe(await sealingKeyId());
    expect(await currentId(keys)).toBe(id);
    expect(asked).toEqual(['put']);
  });

  it('is another one for each organization', async () => {
    const keys = keysWith(vault);
    expect(await currentId(keys, otherOrgId)).not.toBe(await currentId(keys));
  });

  it('is the stored one in another process', async () => {
    const id = await currentId(keysWith(vault));
    expect(await currentId(keysWith(vault))).toBe(id);
    expect(await storage.secrets.count(orgId)).toBe(1);
  });

  it('is one key for concurrent writers', async () => {
    const [one, other] = [keysWith(vault), keysWith(vault)];
    const ids = await Promise.all([one, other, one, other].map((keys) => currentId(keys)));
    expect(new Set(ids).size).toBe(1);
    expect(await storage.secrets.count(orgId)).toBe(1);
  });

  it('is none for an organization that does not exist', async () => {
    expect(await keysWith(vault).outside().current(unknownId)).toBeNull();
  });
});

describe('a key within a transaction', () => {
  it('is visible to others after the commit', async () => {
    const keys = keysWith(vault);
    const made = await keys.within(storage, async (_tx, scope) => (await scope.current(orgId))?.id);
    asked.length = 0;
    expect(await currentId(keys)).toBe(made);
    expect(asked).toEqual([]);
  });

  it('is forgotten when the transaction is rolled back', async () => {
    const keys = keysWith(vault);
    const failing = keys.within(storage, async (_tx, scope) => {
      await scope.current(orgId);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await sealingKeyId()).toBeNull();
    const id = await currentId(keys);
    expect(id).toBe(await sealingKeyId());
    await expect(keys.outside().open(orgId, id ?? '')).resolves.toMatchObject({ id });
  });

  it('is created again when the storage retries the transaction', async () => {
    const keys = keysWith(vault);
    let attempts = 0;
    const retrying: Storage = {
      ...storage,
      async transaction(work) {
        attempts += 1;
        await storage
          .transaction(async (tx) => {
            await work(tx);
            throw new Error('conflict');
          })
          .catch(() => {});
        return await storage.transaction(work);
      },
    };
    const id = await keys.within(retrying, async (_tx, scope) => (await scope.current(orgId))?.id);
    expect([attempts, id]).toEqual([1, await sealingKeyId()]);
    expect(await currentId(keys)).toBe(id);
  });
});

describe('opening a key', () => {
  it('asks the vault once', async () => {
    const id = (await currentId(keysWith(vault))) ?? '';
    const keys = keysWith(vault);
    asked.length = 0;
    const first = await keys.outside().open(orgId, id);
    expect(await keys.outside().open(orgId, id)).toBe(first);
    expect(asked).toEqual(['get']);
  });

  it('does not give a key to another organization', async () => {
    const keys = keysWith(vault);
    const id = (await currentId(keys)) ?? '';
    await expect(keys.outside().open(otherOrgId, id)).rejects.toMatchObject({ code: 'secret_unreadable' });
  });

  it('rejects for a key that is not in the vault, and without a vault', async () => {
    await expect(keysWith(vault).outside().open(orgId, unknownId)).rejects.toMatchObject({
      code: 'secret_unreadable',
      secretId: unknownId,
    });
    await expect(keysWith(undefined).outside().open(orgId, unknownId)).rejects.toMatchObject({
      code: 'vault_unavailable',
    });
  });

  it('does not treat a failure of the vault as a missing key', async () => {
    const id = (await currentId(keysWith(vault))) ?? '';
    const down: Vault = { ...vault, get: () => Promise.reject(new Error('the vault is down')) };
    await expect(keysWith(down).outside().open(orgId, id)).rejects.toThrow('the vault is down');
  });
});

describe('isSealing', () => {
  it('needs a vault', () => {
    expect([keysWith(vault).isSealing, keysWith(undefined).isSealing]).toEqual([true, false]);
  });
});
