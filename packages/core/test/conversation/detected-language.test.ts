import { describe, expect, it } from 'vitest';
import { emptyAssistant } from '../../src/calls/assistant.ts';
import { conversationLanguages } from '../../src/calls/session/conversation-languages.ts';
import { speechConfigSchema } from '../../src/domain/agents/speech/speech-config.ts';

const messages = [
  { role: 'system', content: 'You work at {{place}}.' },
  { role: 'user', content: 'An example.' },
];
const llmConfig = { provider: 'any', messages, tools: [] };
const assistantWith = (languages: unknown) => ({
  ...emptyAssistant,
  sttConfig: { provider: 'any', language: 'en' },
  llmConfig,
  speechConfig: speechConfigSchema.parse({ languages, silence: { prompts: ['Hello?'] }, filler: { phrases: ['Hm.'] } }),
});
const variables = { place: 'the Harbour' };

describe('the languages of a conversation', () => {
  it('begin with the agent’s own', () => {
    const [own, ...others] = conversationLanguages(assistantWith([]), variables);
    expect(own?.language).toBe('en');
    expect(own?.systemPrompt).toEqual([{ role: 'system', content: 'You work at the Harbour.' }]);
    expect(others).toEqual([]);
  });

  it('tell the model by default to reply in the language', () => {
    const [, dutch] = conversationLanguages(assistantWith([{ language: 'nl' }]), variables);
    expect(dutch?.systemPrompt.map(({ content }) => content)).toEqual([
      'You work at the Harbour.',
      'The caller speaks Dutch. Reply in Dutch.',
    ]);
  });

  it('replace the prompt and the fixed texts with their own', () => {
    const own = {
      language: 'nl',
      messages: [{ role: 'system', content: 'Je werkt bij {{place}}.' }],
      silence_prompts: ['Bent u er nog?'],
      unrecognized_prompts: ['Pardon?'],
      filler_phrases: ['Even kijken.'],
    };
    const [, dutch] = conversationLanguages(assistantWith([own]), variables);
    expect(dutch?.systemPrompt).toEqual([{ role: 'system', content: 'Je werkt bij the Harbour.' }]);
    expect(dutch?.speech.silence.prompts).toEqual(['Bent u er nog?']);
    expect(dutch?.speech.unrecognized.prompts).toEqual(['Pardon?']);
    expect(dutch?.speech.filler.phrases).toEqual(['Even kijken.']);
  });

  it('keep the agent’s fixed texts where they have none', () => {
    const [, dutch] = conversationLanguages(assistantWith([{ language: 'nl' }]), variables);
    expect(dutch?.speech.silence.prompts).toEqual(['Hello?']);
    expect(dutch?.speech.filler.phrases).toEqual(['Hm.']);
  });
});

describe('speech_config.languages', () => {
  it.each([
    ['an invalid tag', [{ language: 'Dutch please' }]],
    ['one language twice', [{ language: 'nl' }, { language: 'nl-BE' }]],
    ['more than ten', Array.from({ length: 11 }, (_, n) => ({ language: `${String.fromCharCode(97 + n)}a` }))],
    ['an unknown setting', [{ language: 'nl', voice: 'x' }]],
  ])('refuses %s', (_name, languages) => {
    expect(speechConfigSchema.safeParse({ languages }).success).toBe(false);
  });
});
