import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memory } from '@va/storage/memory';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openVault, type ServedVault } from '../../src/serve/vault.ts';

const address = {
  orgId: '00000000-0000-7000-8000-00000000000a',
  id: '00000000-0000-7000-8000-000000000001',
};
const key = Buffer.alloc(32, 7).toString('base64');
const nextKey = Buffer.alloc(32, 8).toString('hex');

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'va-vault-'));
});
afterEach(() => rm(dir, { recursive: true }));

/** Returns true if one vault opens what the other sealed. */
async function areAlike(one: ServedVault, other: ServedVault): Promise<boolean> {
  const storage = memory();
  await one.vault.put({ ...address, value: 'secret' }, storage);
  return await other.vault.get(address, storage).then(
    (value) => value === 'secret',
    () => false,
  );
}

describe('the vault of va serve', () => {
  it('makes a key in the data folder that only its owner may read, and uses it again', async () => {
    const data = join(dir, 'not', 'there', 'yet');
    const first = await openVault(data, {});
    expect(first.keyFile).toBe(join(data, 'vault.key'));
    expect((await stat(join(data, 'vault.key'))).mode & 0o777).toBe(0o600);
    expect(await readdir(data)).toEqual(['vault.key']);
    expect(await areAlike(first, await openVault(data, {}))).toBe(true);
    expect(await areAlike(first, await openVault(dir, {}))).toBe(false);
  });

  it('makes one key for processes that start at once', async () => {
    const vaults = await Promise.all(Array.from({ length: 8 }, () => openVault(dir, {})));
    const [first, ...others] = vaults;
    if (first === undefined) throw new Error('There is no vault.');
    for (const other of others) expect(await areAlike(first, other)).toBe(true);
    expect(await readdir(dir)).toEqual(['vault.key']);
  });

  it('uses the key of the environment, and then creates no file', async () => {
    const served = await openVault(dir, { VA_VAULT_KEY: key });
    expect(served).toMatchObject({ keyFile: null, hasPreviousKeys: false });
    expect(await readdir(dir)).toEqual([]);
    expect(await areAlike(served, await openVault(dir, { VA_VAULT_KEY: key }))).toBe(true);
  });

  it('opens secrets that previous keys sealed', async () => {
    const previous = await openVault(dir, { VA_VAULT_KEY: key });
    const env = { VA_VAULT_KEY: nextKey, VA_VAULT_PREVIOUS_KEYS: ` ${key}, ` };
    const served = await openVault(dir, env);
    expect(served.hasPreviousKeys).toBe(true);
    expect(await areAlike(previous, served)).toBe(true);
    expect(await areAlike(served, previous)).toBe(false);
  });

  it('refuses an invalid key, and never replaces a file with an invalid key', async () => {
    await expect(openVault(dir, { VA_VAULT_KEY: 'hunter2' })).rejects.toMatchObject({ code: 'invalid_vault_key' });
    await writeFile(join(dir, 'vault.key'), 'damaged');
    await chmod(join(dir, 'vault.key'), 0o600);
    await expect(openVault(dir, {})).rejects.toMatchObject({ code: 'invalid_vault_key' });
    expect(await readFile(join(dir, 'vault.key'), 'utf8')).toBe('damaged');
  });
});
