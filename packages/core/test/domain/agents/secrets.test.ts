import { describe, expect, it } from 'vitest';
import {
  keepModelSecrets,
  modelsOf,
  withKnownModelSecrets,
  withoutModelSecrets,
  withoutPlanSecrets,
} from '../../../src/domain/agents/model-secrets.ts';
import { withKnownSecret, withKnownSecrets, withoutSecret } from '../../../src/domain/agents/tools/tool-secrets.ts';
import { untyped } from '../../support/untyped.ts';

const url = 'https://models.example.com/v1';
const otherUrl = 'https://models.example.org/v1';
const secrets = { headers: { 'X-Team': 'sales' }, api_key: 'key-1' };
const endpoint = { provider: 'openai', model: 'large', url };

describe('withoutModelSecrets', () => {
  it('removes headers and keys of the model and its fallbacks, and nothing else', () => {
    const config = {
      ...endpoint,
      ...secrets,
      temperature: 0.2,
      fallbacks: [{ provider: 'groq' }, { ...endpoint, ...secrets }],
    };
    expect(withoutModelSecrets(config)).toEqual({
      ...endpoint,
      temperature: 0.2,
      fallbacks: [{ provider: 'groq' }, endpoint],
    });
  });

  it('adds no fallbacks to a model without any', () => {
    expect(withoutModelSecrets(endpoint)).toStrictEqual(endpoint);
  });
});

describe('withoutPlanSecrets', () => {
  it('removes the secrets of the model of an analysis', () => {
    expect(withoutPlanSecrets(untyped({ summary: true, llm_config: { ...endpoint, ...secrets } }))).toEqual({
      summary: true,
      llm_config: endpoint,
    });
  });

  it('returns a plan without a model unchanged', () => {
    const plan = {};
    expect(withoutPlanSecrets(untyped(plan))).toBe(plan);
  });
});

describe('withKnownModelSecrets', () => {
  const stored = { ...endpoint, ...secrets };

  it('keeps the stored secrets of a model that is written again for its URL', () => {
    expect(withKnownModelSecrets(endpoint, [stored])).toEqual(stored);
  });

  it('keeps the key beside new headers, and the headers beside a new key', () => {
    const headers = { 'X-Team': 'support' };
    expect(withKnownModelSecrets({ ...endpoint, headers }, [stored])).toEqual({ ...stored, headers });
    expect(withKnownModelSecrets({ ...endpoint, api_key: 'key-2' }, [stored])).toEqual({ ...stored, api_key: 'key-2' });
  });

  it.each([
    ['another URL', { ...endpoint, url: otherUrl }],
    ['another provider', { ...endpoint, provider: 'groq' }],
    ['no URL', { provider: 'openai', model: 'large' }],
  ])('gives no stored secret to a model with %s', (_case, written) => {
    expect(withKnownModelSecrets(written, [stored, { provider: 'openai', ...secrets }])).toStrictEqual(written);
  });

  it('prefers the secrets of the same model, and takes those of another one at the same URL', () => {
    const known = [
      { ...endpoint, api_key: 'key-large' },
      { ...endpoint, model: 'small', api_key: 'key-small' },
    ];
    const written = (model: string) => withKnownModelSecrets({ ...endpoint, model }, known);
    expect(['small', 'large', 'medium'].map(written)).toMatchObject([
      { api_key: 'key-small' },
      { api_key: 'key-large' },
      { api_key: 'key-large' },
    ]);
  });

  it('keeps the secrets of fallbacks, also of a model that has become one', () => {
    const written = { provider: 'anthropic', fallbacks: [endpoint] };
    expect(withKnownModelSecrets(written, [stored]).fallbacks).toEqual([stored]);
  });
});

describe('keepModelSecrets', () => {
  const before = untyped({
    llm_config: { provider: 'anthropic', fallbacks: [{ ...endpoint, ...secrets }] },
    analysis_plan: { llm_config: { ...endpoint, url: otherUrl, api_key: 'key-of-analysis' } },
  });

  it('finds the secrets of any model of the agent', () => {
    const changes = untyped({ llm_config: { ...endpoint, url: otherUrl }, analysis_plan: { llm_config: endpoint } });
    expect(keepModelSecrets(changes, before)).toEqual({
      llm_config: { ...endpoint, url: otherUrl, api_key: 'key-of-analysis' },
      analysis_plan: { llm_config: { ...endpoint, ...secrets } },
    });
  });

  it('returns only what is changed and has models', () => {
    expect(keepModelSecrets({}, before)).toEqual({});
    expect(keepModelSecrets(untyped({ llm_config: null, analysis_plan: null }), before)).toEqual({});
    expect(keepModelSecrets(untyped({ analysis_plan: { summary: true } }), before)).toEqual({});
  });

  it('lists the models of an agent with their fallbacks', () => {
    expect(modelsOf(before).map(({ provider, url: at }) => [provider, at])).toEqual([
      ['anthropic', undefined],
      ['openai', url],
      ['openai', otherUrl],
    ]);
    expect(modelsOf({})).toEqual([]);
  });
});

describe('withoutSecret', () => {
  it('removes secret and headers of the server of a tool', () => {
    const tool = { type: 'mcp', name: 'orders', server: { url, secret: 's', headers: { Authorization: 'Bearer x' } } };
    expect(withoutSecret(tool)).toStrictEqual({ type: 'mcp', name: 'orders', server: { url } });
  });

  it.each([[{ type: 'endCall' }], [{ server: null }], [{ server: 'text' }]])('returns %j unchanged', (tool) => {
    expect(withoutSecret(tool)).toBe(tool);
  });
});

describe('withKnownSecret', () => {
  const stored = { server: { url, secret: 's', headers: { a: '1' } } };

  it('keeps the secrets of the same URL that are not written', () => {
    expect(withKnownSecret({ server: { url } }, stored)).toEqual(stored);
    expect(withKnownSecret({ server: { url, secret: 'new' } }, stored).server.secret).toBe('new');
    expect(withKnownSecret({ server: { url, headers: {} } }, stored).server.headers).toEqual({});
  });

  it.each([
    ['another URL', { server: { url: otherUrl } }],
    ['no URL', { server: {} }],
    ['no server', {}],
  ])('keeps none for a tool with %s', (_case, written) => {
    expect(withKnownSecret(written, { server: { ...stored.server } })).toBe(written);
  });

  it('keeps none of a server without a URL', () => {
    const written = { server: {} };
    expect(withKnownSecret(written, { server: { secret: 's' } })).toBe(written);
  });
});

describe('withKnownSecrets', () => {
  const webhook = (name: string, changes: object = {}): object => ({
    type: 'function',
    name,
    server: { url, ...changes },
  });
  const mcp = (prefix: string | undefined, changes: object = {}): object => ({
    type: 'mcp',
    prefix,
    server: { url, ...changes },
  });
  const keep = (written: readonly object[], before: readonly object[]): unknown =>
    withKnownSecrets(untyped(written), untyped(before));

  it('finds the stored tool by name, in any order', () => {
    const before = [webhook('book', { secret: 'b' }), webhook('cancel', { secret: 'c' })];
    expect(keep([webhook('cancel'), webhook('book'), webhook('move')], before)).toEqual([
      webhook('cancel', { secret: 'c' }),
      webhook('book', { secret: 'b' }),
      webhook('move'),
    ]);
  });

  it('finds an MCP server by its prefix', () => {
    const before = [mcp('a', { headers: { key: 'a' } }), mcp(undefined, { headers: { key: 'none' } })];
    expect(keep([mcp(undefined), mcp('a'), mcp('b')], before)).toEqual([
      mcp(undefined, { headers: { key: 'none' } }),
      mcp('a', { headers: { key: 'a' } }),
      mcp('b'),
    ]);
  });

  it('gives the secret of a tool to no tool of another type', () => {
    const before = [{ ...webhook('book', { secret: 'b' }), type: 'handoff' }];
    expect(keep([webhook('book')], before)).toEqual([webhook('book')]);
  });
});
