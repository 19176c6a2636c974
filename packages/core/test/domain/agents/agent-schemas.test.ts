import { describe, expect, it } from 'vitest';
import { agentLanguagesSchema, primaryTag } from '../../../src/domain/agents/agent-languages.ts';
import { hasUrlForSecrets } from '../../../src/domain/agents/model-endpoint.ts';
import { promptMessagesSchema } from '../../../src/domain/agents/prompt.ts';
import { keytermsSchema } from '../../../src/domain/agents/speech/keyterms.ts';
import { ttsConfigSchema } from '../../../src/domain/agents/speech/tts-config.ts';

describe('the languages of an agent', () => {
  const isAccepted = (...languages: readonly string[]): boolean =>
    agentLanguagesSchema.safeParse(languages.map((language) => ({ language }))).success;

  it.each(['nl', 'gsw', 'pt-BR', 'zh-Hant-TW', 'es-419'])('may be %s', (language) => {
    expect(isAccepted(language)).toBe(true);
  });

  it.each(['', 'n', 'dutch', 'nl_NL', 'nl-', 'nl-N', 'a-b-c', 'nl NL'])('must not be %j', (language) => {
    expect(isAccepted(language)).toBe(false);
  });

  it('differ in their primary tags', () => {
    expect([isAccepted('nl', 'en-GB', 'fr'), isAccepted('en-US', 'nl', 'EN-GB')]).toEqual([true, false]);
  });

  it.each([
    ['pt-BR', 'pt'],
    ['NL', 'nl'],
    ['', ''],
  ])('have the primary tag of %j: %j', (language, tag) => {
    expect(primaryTag(language)).toBe(tag);
  });
});

describe('the prompt of an agent', () => {
  const prompt = (...lengths: readonly number[]): boolean =>
    promptMessagesSchema.safeParse(lengths.map((length) => ({ role: 'system', content: 'x'.repeat(length) }))).success;

  it('has at most 100,000 characters in a message, and 200,000 in all', () => {
    expect([prompt(100_000, 100_000), prompt(100_001), prompt(100_000, 100_000, 1)]).toEqual([true, false, false]);
  });

  it('has at most 100 messages', () => {
    expect([prompt(...Array(100).fill(1)), prompt(...Array(101).fill(1))]).toEqual([true, false]);
  });

  it('is empty by default', () => {
    expect(promptMessagesSchema.parse(undefined)).toEqual([]);
  });
});

describe('the key terms of a recognizer', () => {
  const terms = (count: number, length: number): boolean =>
    keytermsSchema.safeParse(Array.from({ length: count }, () => 'x'.repeat(length))).success;

  it('are at most 100 of 100 characters, and 1,500 characters in all', () => {
    expect([terms(100, 15), terms(101, 1), terms(15, 100), terms(1, 101), terms(100, 16)]).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  it('are trimmed, and never empty', () => {
    expect(keytermsSchema.parse([' Harbour '])).toEqual(['Harbour']);
    expect(keytermsSchema.safeParse([' ']).success).toBe(false);
  });
});

describe('the fallbacks of a voice', () => {
  const fallbacks = (...given: readonly object[]): boolean =>
    ttsConfigSchema.safeParse({ provider: 'a', fallbacks: given }).success;

  it('are at most three, with settings of their own', () => {
    const fallback = { provider: 'b', voiceId: 'v', speed: 1.1 };
    expect([fallbacks(fallback, fallback, fallback), fallbacks(fallback, fallback, fallback, fallback)]).toEqual([
      true,
      false,
    ]);
  });

  it('have no fallbacks themselves', () => {
    expect(fallbacks({ provider: 'b', fallbacks: [] })).toBe(false);
  });
});

describe('hasUrlForSecrets', () => {
  it.each([
    [{}, true],
    [{ url: 'u' }, true],
    [{ url: 'u', api_key: 'k', headers: {} }, true],
    [{ api_key: 'k' }, false],
    [{ headers: {} }, false],
  ])('is for %j: %s', (config, expected) => {
    expect(hasUrlForSecrets(config)).toBe(expected);
  });
});
