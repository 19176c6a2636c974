import { memory } from '@va/storage/memory';
import { scriptedLlm } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { byokProviderSchema } from '../../../src/domain/accounts/byok.ts';
import { aesVault } from '../../../src/node/aes-vault.ts';
import { untyped } from '../../support/untyped.ts';
import { vendorCatalog } from '../../support/vendor-catalog.ts';
import { faultsOf, orgId, otherOrgId, refusal, testOperations } from '../support.ts';

const vault = aesVault({ key: Buffer.alloc(32, 7) });
const catalog = vendorCatalog;

function withVault() {
  const storage = memory();
  const { operations } = testOperations({ vault, storage, catalog });
  return { byok: operations.byok, storage };
}

const none = { deepgram_secret_id: null, openai_secret_id: null, elevenlabs_secret_id: null, xai_secret_id: null };

describe('provider keys of an organization', () => {
  it('stores a key in the vault and returns only its id', async () => {
    const { byok, storage } = withVault();
    const keys = await byok.set(orgId, { provider: 'openai', api_key: ' sk-1 ' });
    expect(keys).toEqual({ ...none, openai_secret_id: expect.any(String) });
    expect(await byok.list(orgId)).toEqual(keys);
    const id = keys.openai_secret_id ?? '';
    expect(await vault.get({ orgId, id }, storage)).toBe('sk-1');
    expect(JSON.stringify(await storage.byokKeys.list(orgId, { limit: 10 }))).not.toContain('sk-1');
  });

  it('replaces a key and deletes its old secret', async () => {
    const { byok, storage } = withVault();
    const first = await byok.set(orgId, { provider: 'openai', api_key: 'sk-1' });
    const second = await byok.set(orgId, { provider: 'openai', api_key: 'sk-2' });
    expect(second.openai_secret_id).not.toBe(first.openai_secret_id);
    expect(await vault.get({ orgId, id: first.openai_secret_id ?? '' }, storage)).toBeNull();
    expect(await vault.get({ orgId, id: second.openai_secret_id ?? '' }, storage)).toBe('sk-2');
    expect(await storage.secrets.count(orgId)).toBe(1);
    expect(await storage.byokKeys.count(orgId)).toBe(1);
  });

  it('keeps one key per provider when several requests set it at the same time', async () => {
    const { byok, storage } = withVault();
    await Promise.all(
      Array.from({ length: 10 }, (_, at) => byok.set(orgId, { provider: 'deepgram', api_key: `dg-${at}` })),
    );
    expect(await storage.byokKeys.count(orgId)).toBe(1);
    expect(await storage.secrets.count(orgId)).toBe(1);
    const id = (await byok.list(orgId)).deepgram_secret_id ?? '';
    expect(await vault.get({ orgId, id }, storage)).toMatch(/^dg-\d$/);
  });

  it('does not return or delete the keys of another organization', async () => {
    const { byok } = withVault();
    await byok.set(orgId, { provider: 'openai', api_key: 'sk-1' });
    expect(await byok.list(otherOrgId)).toEqual(none);
    expect(await refusal(byok.delete(otherOrgId, { provider: 'openai' }))).toMatchObject({ status: 404 });
  });

  it('deletes a key with its secret, and returns 404 the second time', async () => {
    const { byok, storage } = withVault();
    await byok.set(orgId, { provider: 'xai', api_key: 'xai-1' });
    expect(await byok.delete(orgId, { provider: 'xai' })).toEqual(none);
    expect(await storage.secrets.count(orgId)).toBe(0);
    expect(await refusal(byok.delete(orgId, { provider: 'xai' }))).toMatchObject({
      status: 404,
      code: 'byok_key_not_found',
    });
  });

  it('names the accepted providers when the provider is unknown', async () => {
    const { byok, storage } = withVault();
    for (const refused of [
      await refusal(byok.set(orgId, { provider: 'acme', api_key: 'sk-1' })),
      await refusal(byok.delete(orgId, { provider: 'acme' })),
    ]) {
      expect(refused).toMatchObject({ status: 400, code: 'invalid_field' });
      expect(refused.message).toContain('deepgram, openai, elevenlabs, xai');
    }
    expect(await storage.secrets.count(orgId)).toBe(0);
  });

  it.each([
    [{ provider: 'openai' }, ['api_key missing_field']],
    [{ api_key: 'sk-1' }, ['provider missing_field']],
    [{ provider: 'openai', api_key: '  ' }, ['api_key invalid_field']],
    [{ provider: 'openai', api_key: 'sk-1\r\nx-evil: 1' }, ['api_key invalid_field']],
    [{ provider: 'openai', api_key: 'clé-secrète' }, ['api_key invalid_field']],
    [{ provider: 'openai', api_key: 'sk-1', key: 'x' }, ['key unknown_field']],
  ])('refuses %j', async (input, faults) => {
    const { byok } = withVault();
    const refused = await refusal(byok.set(orgId, untyped(input)));
    expect(faultsOf(refused)).toEqual(faults);
    expect(JSON.stringify(refused)).not.toMatch(/sk-1|clé/);
  });

  it('names the vault to configure when there is none', async () => {
    const { operations } = testOperations({ catalog });
    const refused = await refusal(operations.byok.set(orgId, { provider: 'openai', api_key: 'sk-1' }));
    expect(refused).toMatchObject({ status: 503, code: 'unavailable', message: expect.stringContaining('aesVault') });
    expect(await operations.byok.list(orgId)).toEqual(none);
  });

  it('rolls back when the vault fails while a key is replaced', async () => {
    const storage = memory();
    const failing = {
      ...vaultMethods,
      delete: () => Promise.reject(new Error('the vault broke')),
    };
    const { operations } = testOperations({ vault: failing, storage, catalog });
    await operations.byok.set(orgId, { provider: 'openai', api_key: 'sk-1' });
    await expect(operations.byok.set(orgId, { provider: 'openai', api_key: 'sk-2' })).rejects.toThrow('broke');
    const id = (await operations.byok.list(orgId)).openai_secret_id ?? '';
    expect(await vault.get({ orgId, id }, storage)).toBe('sk-1');
    expect(await storage.secrets.count(orgId)).toBe(1);
  });
});

const vaultMethods = {
  put: vault.put.bind(vault),
  get: vault.get.bind(vault),
  delete: vault.delete.bind(vault),
};

describe('the provider catalog', () => {
  it('lists each vendor once, in the order of the entries', () => {
    const listed = testOperations({ catalog }).operations.byok.config();
    expect(listed.map(({ id, category }) => [id, category])).toEqual([
      ['deepgram', 'stt'],
      ['openai', 'llm'],
      ['elevenlabs', 'tts'],
      ['xai', 'realtime'],
    ]);
    for (const entry of listed) expect(byokProviderSchema.parse(entry)).toEqual(entry);
  });

  it('is empty when neither the host nor its providers have entries', () => {
    expect(testOperations({ providers: [scriptedLlm([])] }).operations.byok.config()).toEqual([]);
  });

  it('merges the uses of a vendor, with one default model', () => {
    const openai = testOperations({ catalog })
      .operations.byok.config()
      .filter(({ id }) => id === 'openai');
    expect(openai).toHaveLength(1);
    expect(openai[0]?.models.map(({ id }) => id)).toEqual(expect.arrayContaining(['openai-llm', 'openai-realtime']));
    expect(openai[0]?.models.filter((model) => model.default).map(({ id }) => id)).toEqual(['openai-llm']);
    expect(openai[0]?.voices.map(({ id }) => id)).toContain('marin');
  });

  it('prefers the entry of a registered provider to the host’s entry for the same use', async () => {
    const entry = { category: 'llm', docsUrl: 'https://example.com/docs', models: [], voices: [] };
    const acme = { ...scriptedLlm([]), id: 'acme', catalog: { ...entry, id: 'acme', name: 'Acme' } };
    const openai = { ...scriptedLlm([]), id: 'openai', catalog: { ...entry, id: 'openai', name: 'Our OpenAI' } };
    const { byok } = testOperations({ vault, catalog, providers: [acme, openai] }).operations;
    expect(byok.config().map(({ name }) => name)).toEqual(['Deepgram', 'Our OpenAI', 'ElevenLabs', 'xAI', 'Acme']);
    expect(await byok.set(orgId, { provider: 'acme', api_key: 'a-1' })).toHaveProperty(
      'acme_secret_id',
      expect.any(String),
    );
    const unknown = await refusal(
      testOperations({ vault, catalog }).operations.byok.set(orgId, { provider: 'x', api_key: 'k' }),
    );
    expect(unknown.message.match(/openai/g)).toHaveLength(1);
  });
});
