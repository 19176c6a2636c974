import type { ConversationLanguage } from '../../conversation/state/conversation-language.ts';
import type { AgentLanguage } from '../../domain/agents/agent-languages.ts';
import type { SpeechConfig } from '../../domain/agents/speech/speech-config.ts';
import type { Assistant } from '../assistant.ts';
import { fillTemplate } from '../template.ts';

type Variables = Readonly<Record<string, unknown>> | null;
type SystemPrompt = ConversationLanguage['systemPrompt'];

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

/** Returns the languages of a conversation, the agent's own first. */
export function conversationLanguages(assistant: Assistant, variables: Variables): readonly ConversationLanguage[] {
  const { speechConfig, sttConfig } = assistant;
  const systemPrompt = systemPromptOf(assistant, variables);
  return [
    { language: sttConfig?.language, systemPrompt, speech: speechConfig },
    ...speechConfig.languages.map((each) => ({
      language: each.language,
      systemPrompt: promptIn(each, systemPrompt, variables),
      speech: speechIn(each, speechConfig),
    })),
  ];
}

/** Returns the system prompt of an assistant, with its placeholders filled if there are variables. */
export function systemPromptOf({ llmConfig }: Pick<Assistant, 'llmConfig'>, variables: Variables): SystemPrompt {
  return filledPrompt(llmConfig?.messages ?? [], variables);
}

function promptIn({ language, messages }: AgentLanguage, base: SystemPrompt, variables: Variables): SystemPrompt {
  if (messages !== undefined) return filledPrompt(messages, variables);
  const name = names.of(language) ?? language;
  return [...base, { role: 'system', content: `The caller speaks ${name}. Reply in ${name}.` }];
}

function filledPrompt(messages: readonly { role: string; content: string }[], variables: Variables): SystemPrompt {
  return messages
    .filter(({ role }) => role === 'system')
    .map(({ role, content }) => ({ role, content: filled(content, variables) }));
}

function speechIn(own: AgentLanguage, speech: SpeechConfig): SpeechConfig {
  const { silence, unrecognized, filler } = speech;
  return {
    ...speech,
    silence: { ...silence, prompts: own.silence_prompts ?? silence.prompts },
    unrecognized: { ...unrecognized, prompts: own.unrecognized_prompts ?? unrecognized.prompts },
    filler: { ...filler, phrases: own.filler_phrases ?? filler.phrases },
  };
}

/** Fills the placeholders if there are variables. */
export function filled<Text extends string | null>(text: Text, variables: Variables): Text | string {
  return text === null || variables === null ? text : fillTemplate(text, variables);
}
