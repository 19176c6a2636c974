import { primaryTag } from '../../domain/agents/agent-languages.ts';
import { dropPreemption } from '../agent-turn/preemption.ts';
import type { ConversationLanguage } from '../state/conversation-language.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';

/** Words in another language after which the agent switches: a single one may be a name or a detection error. */
const wordsToSwitch = 2;

/**
 * Takes the language of final words. Switches the conversation once the caller has spoken two words in another one of
 * the agent's languages, with none of the current language in between.
 */
export function languageHeard(
  state: ConversationState,
  { language, text }: { readonly language?: string | undefined; readonly text: string },
  emit: Emit,
): ConversationState {
  const { config, caller } = state;
  if (language === undefined || config.languages.length < 2 || text.trim() === '') return state;
  const heard = config.languages.findIndex((each) => isSame(each, language));
  const next = config.languages[heard];
  if (next === undefined) return state;
  if (next.language === config.language) return withCaller(state, null);
  const before = caller.otherLanguage?.index === heard ? caller.otherLanguage.words : 0;
  const words = before + text.trim().split(/\s+/).length;
  if (words < wordsToSwitch) return withCaller(state, { index: heard, words });
  return switchTo(withCaller(state, null), next, emit);
}

function switchTo(state: ConversationState, next: ConversationLanguage, emit: Emit): ConversationState {
  const { language, systemPrompt, speech } = next;
  if (language === undefined) return state;
  emit({ type: 'set-language', language });
  emit({ type: 'notice', notice: { type: 'language-changed', language } });
  const { reading } = state.config;
  const config = { ...state.config, language, systemPrompt, speech, reading: { ...reading, language } };
  return dropPreemption({ ...state, config }, emit);
}

function isSame({ language }: ConversationLanguage, detected: string): boolean {
  return language !== undefined && primaryTag(language) === primaryTag(detected);
}

function withCaller(
  state: ConversationState,
  otherLanguage: ConversationState['caller']['otherLanguage'],
): ConversationState {
  return { ...state, caller: { ...state.caller, otherLanguage } };
}
