import type { SpeechConfig } from '../../domain/agents/speech/speech-config.ts';

/** A language in which the conversation may be held. */
export interface ConversationLanguage {
  /** BCP 47 tag; undefined if the agent names none. */
  readonly language: string | undefined;
  readonly systemPrompt: readonly { role: string; content: string }[];
  /** Settings of speech with the texts of the language. */
  readonly speech: SpeechConfig;
}
