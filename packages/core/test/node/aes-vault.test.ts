import { inspect } from 'node:util';
import { memory } from '@va/storage/memory';
import { VirtualClock } from '@va/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRandom, uuidv7 } from '../../src/ids.ts';
import { type AesVault, type AesVaultOptions, aesVault } from '../../src/node/aes-vault.ts';
import type { Storage } from '../../src/ports/storage/storage.ts';
import { VaultError } from '../../src/ports/vault.ts';

const orgId = '00000000-0000-7000-8000-00000000000a';
const otherOrgId = '00000000-0000-7000-8000-00000000000b';
const id = '00000000-0000-7000-8000-000000000001';
const otherId = '00000000-0000-7000-8000-000000000002';
const value = 'sk-live-4f1d — naïve ☎';

const key = Buffer.alloc(32, 7).toString('base64');
const nextKey = Buffer.alloc(32, 8).toString('base64');

function vaultOf(options: Partial<AesVaultOptions> = {}): AesVault {
  return aesVault({ key, clock: new VirtualClock(), ...options });
}

async function stored(storage: Storage, at: { orgId: string; id: string } = { orgId, id }) {
  const sealed = await storage.secrets.get(at.orgId, at.id);
  if (sealed === null) throw new Error('the secret is not stored');
  return sealed;
}

async function failure(work: Promise<unknown>): Promise<VaultError> {
  const thrown = await work.then(
    () => new Error('expected the operation to fail'),
    (error: unknown) => error,
  );
  if (thrown instanceof VaultError) return thrown;
  throw thrown;
}

describe('the vault', () => {
  it('returns a secret only for its organization and id', async () => {
    const storage = memory();
    const vault = vaultOf();
    await vault.put({ orgId, id, value }, storage);
    expect(await vault.get({ orgId, id }, storage)).toBe(value);
    expect(await vault.get({ orgId: otherOrgId, id }, storage)).toBeNull();
    expect(await vault.get({ orgId, id: otherId }, storage)).toBeNull();
  });

  it('round-trips any text, including an empty one', async () => {
    const vault = vaultOf();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 5_000 }), async (text) => {
        const storage = memory();
        await vault.put({ orgId, id, value: text }, storage);
        expect(await vault.get({ orgId, id }, storage)).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  it('deletes a secret, and returns false the second time', async () => {
    const storage = memory();
    const vault = vaultOf();
    await vault.put({ orgId, id, value }, storage);
    expect(await vault.delete({ orgId: otherOrgId, id }, storage)).toBe(false);
    expect(await vault.delete({ orgId, id }, storage)).toBe(true);
    expect(await vault.delete({ orgId, id }, storage)).toBe(false);
    expect(await vault.get({ orgId, id }, storage)).toBeNull();
  });

  it('writes in the caller’s transaction', async () => {
    const storage = memory();
    const vault = vaultOf();
    const undone = storage.transaction(async (tx) => {
      await vault.put({ orgId, id, value }, tx);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await vault.get({ orgId, id }, storage)).toBeNull();
  });

  it('stores only ciphertext, with a new nonce each time', async () => {
    const storage = memory();
    const vault = vaultOf();
    await vault.put({ orgId, id, value }, storage);
    await vault.put({ orgId, id: otherId, value }, storage);
    const [one, other] = [await stored(storage), await stored(storage, { orgId, id: otherId })];
    expect(one.nonce).not.toBe(other.nonce);
    expect(one.ciphertext).not.toBe(other.ciphertext);
    expect(Buffer.from(one.ciphertext, 'base64').includes('sk-live')).toBe(false);
    expect(JSON.stringify(one)).not.toContain(key);
  });

  it('treats ids as case-insensitive', async () => {
    const storage = memory();
    const vault = vaultOf();
    await vault.put({ orgId: orgId.toUpperCase(), id, value }, storage);
    const sealed = await stored(storage, { orgId: orgId.toUpperCase(), id });
    const moved = memory();
    await moved.secrets.insert(orgId, sealed);
    expect(await vault.get({ orgId, id }, moved)).toBe(value);
  });

  it.each([
    ['another organization', otherOrgId, id],
    ['another id', orgId, otherId],
  ])('refuses to decrypt a secret that was moved to %s', async (_, toOrgId, toId) => {
    const storage = memory();
    const vault = vaultOf();
    await vault.put({ orgId, id, value }, storage);
    const sealed = await stored(storage);
    const moved = memory();
    await moved.secrets.insert(toOrgId, { ...sealed, id: toId });
    expect((await failure(vault.get({ orgId: toOrgId, id: toId }, moved))).code).toBe('secret_unreadable');
  });

  it('refuses to decrypt a secret that was tampered with', async () => {
    const storage = memory();
    const vault = vaultOf();
    await vault.put({ orgId, id, value }, storage);
    const { nonce, ciphertext } = await stored(storage);
    const flips = Buffer.from(ciphertext, 'base64').length;
    for (let at = 0; at < flips; at++) {
      await storage.secrets.update(orgId, id, { ciphertext: flipped(ciphertext, at) });
      expect((await failure(vault.get({ orgId, id }, storage))).code).toBe('secret_unreadable');
    }
    for (const changes of [
      { nonce: flipped(nonce, 3), ciphertext },
      { nonce: '', ciphertext },
      { nonce, ciphertext: '' },
      { nonce, ciphertext: 'AAAA' },
      { nonce: 'not base64!', ciphertext: '{}' },
    ]) {
      await storage.secrets.update(orgId, id, changes);
      expect((await failure(vault.get({ orgId, id }, storage))).code).toBe('secret_unreadable');
    }
  });

  it('names only the id of the missing key when it cannot decrypt a secret', async () => {
    const storage = memory();
    await vaultOf().put({ orgId, id, value }, storage);
    const error = await failure(vaultOf({ key: nextKey }).get({ orgId, id }, storage));
    expect(error).toMatchObject({ code: 'vault_key_unknown', secretId: id });
    expect(error.message).toContain((await stored(storage)).key_id);
    expect(inspect(error, { depth: 10 })).not.toMatch(/sk-live|BwcHB|CAgIC/);
  });

  it('does not expose its keys when printed', () => {
    const vault = vaultOf({ previousKeys: [nextKey] });
    const hex = Buffer.from(key, 'base64').toString('hex');
    for (const shown of [
      inspect(vault, { depth: 10, showHidden: true, getters: true }),
      JSON.stringify(vault),
      String(vault),
      Object.values(vault).join(),
    ]) {
      expect(shown).not.toContain(key);
      expect(shown).not.toContain(hex);
      expect(shown).not.toMatch(/(07 ){4}|(7,){4}|(08 ){4}|(8,){4}/);
    }
  });
});

function flipped(base64: string, at: number): string {
  const bytes = Buffer.from(base64, 'base64');
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes.toString('base64');
}

describe('the key of the vault', () => {
  const bytes = systemRandom(32);

  it.each([
    ['bytes', bytes],
    ['base64', Buffer.from(bytes).toString('base64')],
    ['base64url without padding', Buffer.from(bytes).toString('base64url')],
    ['hexadecimal text', Buffer.from(bytes).toString('hex')],
    ['hexadecimal text in capitals', Buffer.from(bytes).toString('hex').toUpperCase()],
    ['text with a line end, as from a file', `${Buffer.from(bytes).toString('base64')}\n`],
  ])('is accepted as %s', async (_, written) => {
    const storage = memory();
    await aesVault({ key: bytes }).put({ orgId, id, value }, storage);
    expect(await aesVault({ key: written }).get({ orgId, id }, storage)).toBe(value);
  });

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['a passphrase', 'correct horse battery staple'],
    ['31 bytes', Buffer.alloc(31, 9).toString('base64')],
    ['33 bytes', Buffer.alloc(33, 9).toString('base64')],
    ['48 bytes', Buffer.alloc(48, 9).toString('base64')],
    ['16 bytes of hexadecimal text', Buffer.alloc(16, 9).toString('hex')],
    ['16 bytes', Buffer.alloc(16, 9)],
  ])('is refused when it is %s', (_, written) => {
    expect(() => aesVault({ key: written })).toThrow(
      expect.objectContaining({
        code: 'invalid_vault_key',
        message: expect.stringContaining('openssl rand -base64 32'),
      }),
    );
    const shown = written === undefined || written.length === 0 ? '' : String(written);
    if (shown !== '') expect(() => aesVault({ key: written })).not.toThrow(shown);
  });

  it('is validated for previous keys too', () => {
    expect(() => aesVault({ key, previousKeys: ['short'] })).toThrow(
      expect.objectContaining({ code: 'invalid_vault_key' }),
    );
  });
});

describe('rotating the key of the vault', () => {
  async function filled(count: number): Promise<{ storage: Storage; ids: string[] }> {
    const storage = memory();
    const clock = new VirtualClock();
    const vault = vaultOf({ clock });
    const ids = Array.from({ length: count }, () => uuidv7(clock));
    for (const [at, each] of ids.entries()) {
      await vault.put({ orgId: at % 2 === 0 ? orgId : otherOrgId, id: each, value: `secret ${at}` }, storage);
    }
    return { storage, ids };
  }

  async function values(vault: AesVault, storage: Storage, ids: readonly string[]): Promise<(string | null)[]> {
    return await Promise.all(
      ids.map((each, at) => vault.get({ orgId: at % 2 === 0 ? orgId : otherOrgId, id: each }, storage)),
    );
  }

  it('decrypts old secrets with a previous key and encrypts new ones with the new key', async () => {
    const { storage, ids } = await filled(2);
    const vault = vaultOf({ key: nextKey, previousKeys: [key] });
    expect(await values(vault, storage, ids)).toEqual(['secret 0', 'secret 1']);
    await vault.put({ orgId, id, value }, storage);
    expect(await vaultOf({ key: nextKey }).get({ orgId, id }, storage)).toBe(value);
  });

  it('re-encrypts every secret of every organization, so that the old key can be removed', async () => {
    const { storage, ids } = await filled(250);
    const rotation = await vaultOf({ key: nextKey, previousKeys: [key] }).rotate(storage);
    expect(rotation).toEqual({ resealed: 250, unreadable: [] });
    expect(await values(vaultOf({ key: nextKey }), storage, ids)).toEqual(ids.map((_, at) => `secret ${at}`));
    expect(await vaultOf({ key: nextKey, previousKeys: [key] }).rotate(storage)).toEqual({
      resealed: 0,
      unreadable: [],
    });
  });

  it('continues past secrets that it cannot decrypt, and lists them', async () => {
    const { storage, ids } = await filled(230);
    const broken = ids.slice(0, 120);
    for (const [at, each] of broken.entries()) {
      await storage.secrets.update(at % 2 === 0 ? orgId : otherOrgId, each, { ciphertext: 'AAAA' });
    }
    const rotation = await vaultOf({ key: nextKey, previousKeys: [key] }).rotate(storage);
    expect(rotation.resealed).toBe(110);
    expect(rotation.unreadable.map((address) => address.id).sort()).toEqual([...broken].sort());
  });

  it('does nothing without previous keys', async () => {
    const { storage, ids } = await filled(1);
    expect(await vaultOf().rotate(storage)).toEqual({ resealed: 0, unreadable: [] });
    expect(await values(vaultOf(), storage, ids)).toEqual(['secret 0']);
  });

  it('leaves every secret readable when two nodes rotate at the same time', async () => {
    const { storage, ids } = await filled(50);
    const nodes = [1, 2].map(() => vaultOf({ key: nextKey, previousKeys: [key] }));
    await Promise.all(nodes.map((node) => node.rotate(storage)));
    expect(await values(vaultOf({ key: nextKey }), storage, ids)).toEqual(ids.map((_, at) => `secret ${at}`));
  });
});
