import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyIdOf, openText, sealText } from '../../src/sealing/sealed-text.ts';
import { agentSecrets, organizationSecrets, toolTemplateSecrets } from '../../src/sealing/secret-fields.ts';
import { untyped } from '../support/untyped.ts';

/** Replaces a secret by its place. */
const placeOf = async (secret: string, field: string): Promise<string> => `<${field}:${secret}>`;

describe('the secrets of an agent', () => {
  it('are its webhook secrets, and those of tools and models', async () => {
    const agent = untyped({
      name: 'Reception',
      webhook_secret: 'a',
      webhook_previous_secret: 'b',
      llm_config: {
        provider: 'openai',
        api_key: 'c',
        headers: { 'X-Team': 'd' },
        fallbacks: [{ provider: 'groq' }, { provider: 'openai', api_key: 'e' }],
        tools: [
          { type: 'endCall' },
          { type: 'function', name: 'book', server: { url: 'https://x.example', secret: 'f' } },
          { type: 'mcp', server: { url: 'https://y.example', headers: { Authorization: 'g' } } },
        ],
      },
      analysis_plan: { summary: true, llm_config: { provider: 'openai', api_key: 'h' } },
    });
    expect(await agentSecrets(agent, placeOf)).toEqual({
      name: 'Reception',
      webhook_secret: '<webhook_secret:a>',
      webhook_previous_secret: '<webhook_previous_secret:b>',
      llm_config: {
        provider: 'openai',
        api_key: '<model.api_key:c>',
        headers: { 'X-Team': '<model.headers.x-team:d>' },
        fallbacks: [{ provider: 'groq' }, { provider: 'openai', api_key: '<model.api_key:e>' }],
        tools: [
          { type: 'endCall' },
          { type: 'function', name: 'book', server: { url: 'https://x.example', secret: '<server.secret:f>' } },
          {
            type: 'mcp',
            server: { url: 'https://y.example', headers: { Authorization: '<server.headers.authorization:g>' } },
          },
        ],
      },
      analysis_plan: { summary: true, llm_config: { provider: 'openai', api_key: '<model.api_key:h>' } },
    });
  });

  it.each([
    [{}],
    [{ name: 'Reception' }],
    [{ webhook_secret: null, llm_config: null, analysis_plan: null }],
    [{ llm_config: { provider: 'openai', tools: [{ type: 'function', server: null }, { type: 'transferCall' }] } }],
    [{ llm_config: { provider: 'openai', headers: {}, tools: [] }, analysis_plan: { summary: true } }],
  ])('are none in %j', async (part) => {
    const replaced: string[] = [];
    const mapped = await agentSecrets(untyped(part), async (secret, field) => {
      replaced.push(field);
      return secret;
    });
    expect(mapped).toStrictEqual(part);
    expect(replaced).toEqual([]);
  });

  it('are replaced in a copy', async () => {
    const part = { llm_config: { provider: 'openai', api_key: 'a', tools: [{ server: { secret: 'b' } }] } };
    const before = structuredClone(part);
    await agentSecrets(untyped(part), placeOf);
    expect(part).toEqual(before);
  });
});

describe('the secrets of other records', () => {
  it('are the webhook secrets of an organization', async () => {
    const part = { name: 'Acme', webhook_secret: 'a', webhook_previous_secret: null };
    expect(await organizationSecrets(part, placeOf)).toEqual({ ...part, webhook_secret: '<webhook_secret:a>' });
  });

  it('are those of the server of a tool template', async () => {
    const part = untyped({ name: 'T', tool_config: { name: 'book', server: { url: 'u', secret: 'a' } } });
    expect(await toolTemplateSecrets(part, placeOf)).toEqual({
      name: 'T',
      tool_config: { name: 'book', server: { url: 'u', secret: '<server.secret:a>' } },
    });
    expect(await toolTemplateSecrets({ name: 'T' }, placeOf)).toEqual({ name: 'T' });
  });
});

describe('a sealed text', () => {
  const id = '00000000-0000-7000-8000-000000000001';
  const dataKey = { id, key: createSecretKey(new Uint8Array(32).fill(1)) };
  const address = { orgId: 'ORG-1', recordId: 'record-1', field: 'webhook_secret' };
  const random = (count: number): Uint8Array => new Uint8Array(count).fill(9);
  const sealed = sealText(dataKey, 'wh-sécret', address, random);

  it('opens at its place with its key', () => {
    expect(openText(dataKey.key, sealed, address)).toBe('wh-sécret');
    expect(openText(dataKey.key, sealed, { ...address, orgId: 'org-1' })).toBe('wh-sécret');
  });

  it('names the key that sealed it', () => {
    expect(keyIdOf(sealed)).toBe(id);
  });

  it.each([
    'a plain secret',
    '',
    `sealed:2:${id}:AAAA:BBBB`,
    `sealed:1:${id}:AAAA`,
    `sealed:1:${id}:AA AA:BBBB`,
    ` sealed:1:${id}:AAAA:BBBB`,
  ])('is not %j', (text) => {
    expect(keyIdOf(text)).toBeNull();
  });

  it.each([
    ['in another organization', { orgId: 'org-2' }],
    ['in another record', { recordId: 'record-2' }],
    ['in another field', { field: 'webhook_previous_secret' }],
  ])('does not open %s', (_case, changes) => {
    const open = (): string => openText(dataKey.key, sealed, { ...address, ...changes });
    expect(open).toThrow(expect.objectContaining({ code: 'secret_unreadable', secretId: id }));
  });

  it.each([
    ['with another key', (text: string) => text, createSecretKey(new Uint8Array(32).fill(2))],
    ['with a changed ciphertext', (text: string) => text.replace(/.(?=.{4}$)/, (c) => (c === 'A' ? 'B' : 'A'))],
    ['with a shorter nonce', (text: string) => text.replace(/:([A-Za-z0-9+/]{4})(?=[A-Za-z0-9+/]*:[^:]*$)/, ':')],
    ['cut off', (text: string) => `${text.split(':').slice(0, 4).join(':')}:AAAA`],
    ['as a plain text', () => 'wh-sécret'],
  ])('does not open %s', (_case, change, key = dataKey.key) => {
    expect(() => openText(key, change(sealed), address)).toThrow('webhook_secret of the record record-1 cannot be');
  });
});
