import { scriptedLlm, scriptedRealtime, scriptedStt, scriptedTts, silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { type Assistant, emptyAssistant } from '../../../src/calls/assistant.ts';
import { type CascadeProviders, listProviders, requireProviders } from '../../../src/calls/session/call-providers.ts';
import { ProviderRegistry } from '../../../src/calls/session/provider-registry.ts';
import { llmConfigSchema, sttConfigSchema, ttsConfigSchema } from '../../../src/domain/agents/agent.ts';
import { speechOf } from '../../support/conversation-state.ts';

const realtime = { ...scriptedRealtime(), id: 'voice', aliases: ['voice-mini'] };
const registry = new ProviderRegistry([
  scriptedStt(),
  scriptedStt({ id: 'stt-2' }),
  scriptedLlm([]),
  scriptedLlm([], { id: 'llm-2' }),
  scriptedTts(),
  scriptedTts({ id: 'tts-2' }),
  realtime,
]);

const complete: Assistant = {
  ...emptyAssistant,
  sttConfig: sttConfigSchema.parse({ provider: 'scripted' }),
  llmConfig: llmConfigSchema.parse({ provider: 'scripted', messages: [{ role: 'system', content: 'Be brief.' }] }),
  ttsConfig: ttsConfigSchema.parse({ provider: 'scripted', voiceId: 'anna' }),
};

function cascade(changes: Partial<Assistant> = {}, logger = silentLogger): CascadeProviders {
  const providers = requireProviders({ ...complete, ...changes }, registry, logger);
  if (providers.kind !== 'cascade') throw new Error('expected a cascade');
  return providers;
}

const idsOf = (links: readonly { provider: { id: string } }[]): string[] => links.map(({ provider }) => provider.id);

describe('requireProviders', () => {
  it('returns the providers of the agent, each with its fallbacks in order', () => {
    const { recognizers, models, synthesizers } = cascade({
      sttConfig: sttConfigSchema.parse({ provider: 'scripted', fallbacks: [{ provider: 'stt-2' }] }),
      llmConfig: llmConfigSchema.parse({ ...complete.llmConfig, fallbacks: [{ provider: 'llm-2' }] }),
      ttsConfig: ttsConfigSchema.parse({ provider: 'tts-2', fallbacks: [{ provider: 'scripted' }] }),
    });
    expect([recognizers, models, synthesizers].map(idsOf)).toEqual([
      ['scripted', 'stt-2'],
      ['scripted', 'llm-2'],
      ['tts-2', 'scripted'],
    ]);
    // A fallback has the instructions of the first model.
    expect(models[1]?.config).toMatchObject({ messages: [{ content: 'Be brief.' }] });
  });

  it('leaves out a fallback that is not registered, and warns', () => {
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (_fields: object, message: string) => void warnings.push(message) };
    const sttConfig = sttConfigSchema.parse({ provider: 'scripted', fallbacks: [{ provider: 'gone' }] });
    expect(idsOf(cascade({ sttConfig }, logger).recognizers)).toEqual(['scripted']);
    expect(warnings).toHaveLength(1);
  });

  it.each(['voice', 'voice-mini'])('returns a speech-to-speech model alone: %s', (provider) => {
    const llmConfig = llmConfigSchema.parse({ provider });
    const providers = requireProviders({ ...emptyAssistant, llmConfig }, registry, silentLogger);
    expect(providers).toMatchObject({ kind: 'realtime', llmConfig });
    expect(listProviders(providers)).toEqual([realtime]);
  });

  it.each<[string, Partial<Assistant>, string]>([
    ['has no recognizer', { sttConfig: null }, 'agent_incomplete'],
    ['has no model', { llmConfig: null }, 'agent_incomplete'],
    ['has no synthesizer', { ttsConfig: null }, 'agent_incomplete'],
    ['names an unknown recognizer', { sttConfig: sttConfigSchema.parse({ provider: 'gone' }) }, 'unknown_provider'],
    ['names an unknown model', { llmConfig: llmConfigSchema.parse({ provider: 'gone' }) }, 'unknown_provider'],
    ['names an unknown voice', { ttsConfig: ttsConfigSchema.parse({ provider: 'gone' }) }, 'unknown_provider'],
  ])('rejects an agent that %s', (_what, changes, code) => {
    expect(() => cascade(changes)).toThrow(expect.objectContaining({ code }));
  });
});

describe('the voices of an agent with several languages', () => {
  const speechConfig = speechOf({
    languages: [{ language: 'nl' }, { language: 'de', tts_config: { provider: 'tts-2', voiceId: 'hans' } }],
  });

  it('are the voice of the agent in each language, or the voice that the language names', () => {
    const { voices } = cascade({ speechConfig });
    expect(voices.get('nl')).toMatchObject([
      { provider: { id: 'scripted' }, config: { voiceId: 'anna', language: 'nl' } },
    ]);
    expect(voices.get('de')).toMatchObject([{ provider: { id: 'tts-2' }, config: { voiceId: 'hans' } }]);
  });

  it('are among the providers of the call', () => {
    const ids = listProviders(cascade({ speechConfig })).map(({ kind, id }) => `${kind}:${id}`);
    expect(ids).toEqual(['stt:scripted', 'llm:scripted', 'tts:scripted', 'tts:scripted', 'tts:tts-2']);
  });
});

describe('ProviderRegistry', () => {
  it('refuses two providers of a kind with one name, aliases included', () => {
    const duplicate = expect.objectContaining({ code: 'duplicate_provider' });
    expect(() => new ProviderRegistry([scriptedStt(), scriptedStt()])).toThrow(duplicate);
    expect(() => new ProviderRegistry([realtime, { ...scriptedRealtime(), id: 'voice-mini' }])).toThrow(duplicate);
    expect(() => new ProviderRegistry([scriptedStt(), scriptedTts()])).not.toThrow();
  });

  it('names the registered providers of the kind when one is missing', () => {
    expect(() => registry.find('stt', 'gone')).toThrow(/registered are: scripted, stt-2/);
    expect(() => new ProviderRegistry([]).find('tts', 'gone')).toThrow(/registered are: none/);
  });
});
