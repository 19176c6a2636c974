import { describe, expect, it } from 'vitest';
import type { ConversationConfig } from '../../../src/conversation/state/config.ts';
import type { ConversationLanguage } from '../../../src/conversation/state/conversation-language.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import { languageHeard } from '../../../src/conversation/user-turn/detected-language.ts';
import { effects, openConversation, speechOf } from '../../support/conversation-state.ts';

const languages: readonly ConversationLanguage[] = ['en', 'nl', 'de-AT'].map((language) => ({
  language,
  systemPrompt: [{ role: 'system', content: `Speak ${language}.` }],
  speech: speechOf({ silence: { prompts: [`Still there? (${language})`] } }),
}));

type Words = readonly [language: string | undefined, text: string];

/** Takes final words in order, and returns the state with the languages that it switched to. */
function hearing(words: readonly Words[], config: Partial<ConversationConfig> = {}) {
  const { emit, emitted } = effects();
  const start = openConversation({}, { languages, ...config });
  const state = words.reduce<ConversationState>(
    (each, [language, text]) => languageHeard(each, { language, text }, emit),
    start,
  );
  const switched = emitted.flatMap((effect) => (effect.type === 'set-language' ? [effect.language] : []));
  return { start, state, switched, emitted };
}

describe('languageHeard', () => {
  it('switches after two words in another language of the agent', () => {
    expect(hearing([['nl', 'goedemorgen']]).switched).toEqual([]);
    expect(hearing([['nl', 'goede morgen']]).switched).toEqual(['nl']);
    expect(
      hearing([
        ['nl', 'goede'],
        ['nl', 'morgen'],
      ]).switched,
    ).toEqual(['nl']);
  });

  it('applies prompt, settings and reading of the new language, and reports the switch', () => {
    const { state, emitted } = hearing([['nl', 'goede morgen']]);
    expect(state.config).toMatchObject({
      language: 'nl',
      reading: { language: 'nl' },
      systemPrompt: [{ role: 'system', content: 'Speak nl.' }],
      speech: { silence: { prompts: ['Still there? (nl)'] } },
    });
    expect(emitted).toEqual([
      { type: 'set-language', language: 'nl' },
      { type: 'notice', notice: { type: 'language-changed', language: 'nl' } },
    ]);
  });

  it('compares languages without their regions', () => {
    expect(hearing([['de-CH', 'guten Tag']]).switched).toEqual(['de-AT']);
    expect(hearing([['en-GB', 'good morning']]).switched).toEqual([]);
  });

  it('starts over after a word of the current language, or of a third one', () => {
    expect(
      hearing([
        ['nl', 'dank'],
        ['en', 'thanks'],
        ['nl', 'dank'],
      ]).switched,
    ).toEqual([]);
    expect(
      hearing([
        ['nl', 'dank'],
        ['de', 'danke'],
        ['nl', 'dank'],
      ]).switched,
    ).toEqual([]);
  });

  it('switches back in the same way', () => {
    expect(
      hearing([
        ['nl', 'goede morgen'],
        ['en', 'good morning'],
      ]).switched,
    ).toEqual(['nl', 'en']);
  });

  it.each<[string, Words, Partial<ConversationConfig>]>([
    ['an unknown language', [undefined, 'goede morgen'], {}],
    ['a language that the agent does not speak', ['fr', 'bon matin'], {}],
    ['no words', ['nl', '  '], {}],
    ['an agent of one language', ['nl', 'goede morgen'], { languages: languages.slice(0, 1) }],
  ])('changes nothing for %s', (_what, words, config) => {
    const { start, state, emitted } = hearing([words], config);
    expect([state, emitted]).toEqual([start, []]);
  });

  it('drops a reply that was prepared in the other language', () => {
    const preemption = {
      generation: 4,
      text: '',
      entries: 0,
      systemPrompt: [],
      parts: [],
      done: false,
      isSpeechPrepared: false,
    };
    const { emit, emitted } = effects();
    const state = openConversation({ reply: { due: null, preemption } }, { languages });
    const after = languageHeard(state, { language: 'nl', text: 'goede morgen' }, emit);
    expect(after.reply.preemption).toBeNull();
    expect(emitted.at(-1)).toEqual({ type: 'cancel-llm', generation: 4 });
  });
});
