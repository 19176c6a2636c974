import { scriptedTts, silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { ProviderRegistry } from '../../src/calls/session/provider-registry.ts';
import { llmConfigSchema, sttConfigSchema, ttsConfigSchema } from '../../src/domain/agents/agent.ts';
import { linksOf, sttConfigs, ttsConfigs } from '../../src/providers/link.ts';

describe('fallbacks', () => {
  it.each([
    ['stt', sttConfigSchema],
    ['llm', llmConfigSchema],
    ['tts', ttsConfigSchema],
  ])('of %s are limited to three and cannot be nested', (_, schema) => {
    const fallback = { provider: 'b', model: 'm', speed: 1.1 };
    expect(schema.parse({ provider: 'a', fallbacks: [fallback] }).fallbacks).toEqual([fallback]);
    expect(schema.parse({ provider: 'a' })).not.toHaveProperty('fallbacks');
    expect(schema.safeParse({ provider: 'a', fallbacks: [{ provider: '' }] }).success).toBe(false);
    expect(schema.safeParse({ provider: 'a', fallbacks: Array.from({ length: 4 }, () => fallback) }).success).toBe(
      false,
    );
    const nested = schema.safeParse({ provider: 'a', fallbacks: [{ ...fallback, fallbacks: [fallback] }] });
    expect(nested.error?.issues).toMatchObject([
      { path: ['fallbacks', 0, 'fallbacks'], message: 'a fallback has no fallbacks of its own' },
    ]);
  });

  it('follow the first provider in their order, with only their own settings', () => {
    const config = sttConfigSchema.parse({ provider: 'a', language: 'nl', fallbacks: [{ provider: 'b' }] });
    expect(sttConfigs(config)).toEqual([{ provider: 'a', language: 'nl' }, { provider: 'b' }]);
  });

  it('that are not registered are skipped with a warning, unlike the first provider', () => {
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (fields: Record<string, unknown>) => warnings.push(String(fields.err)) };
    const registry = new ProviderRegistry([scriptedTts({ id: 'a' }), scriptedTts({ id: 'c' })]);
    const find = (id: string) => registry.find('tts', id);
    const configs = ttsConfigs({ provider: 'a', fallbacks: [{ provider: 'b' }, { provider: 'c', voiceId: 'x' }] });
    expect(linksOf(configs, find, logger).map(({ provider, config }) => [provider.id, config])).toEqual([
      ['a', { provider: 'a' }],
      ['c', { provider: 'c', voiceId: 'x' }],
    ]);
    expect(warnings).toHaveLength(1);
    expect(() => linksOf(ttsConfigs({ provider: 'b' }), find, logger)).toThrow(/no tts provider b/);
  });
});
