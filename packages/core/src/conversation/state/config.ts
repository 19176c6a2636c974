import type { AmdSettings, SpokenOptions } from '@va/language';
import type { ContextSettings } from '../../domain/agents/context-settings.ts';
import type { SpeechConfig } from '../../domain/agents/speech/speech-config.ts';
import type { TurnPolicy } from '../turn-policy/turn-policy.ts';
import type { ConversationLanguage } from './conversation-language.ts';
import type { CallTool } from './tools/call-tool.ts';

/** Settings of one conversation, resolved before it starts. */
export interface ConversationConfig {
  /** Spoken once the caller can hear it; null if the agent waits for the caller to speak first. */
  readonly firstMessage: string | null;
  readonly systemPrompt: readonly { role: string; content: string }[];
  readonly tools: readonly CallTool[];
  /** Bounds of the history that the model gets. */
  readonly context: ContextSettings;
  readonly speech: SpeechConfig;
  readonly turnPolicy: TurnPolicy;
  /** Conversion of written text to its spoken form. */
  readonly reading: SpokenOptions;
  /** The turn model that is asked in pauses; null without one. */
  readonly turnModel: { readonly usesText: boolean } | null;
  /** BCP 47 tag of the language of both parties, if known. */
  readonly language: string | undefined;
  /** Languages that the conversation switches between as the caller speaks them, the agent's own first. */
  readonly languages: readonly ConversationLanguage[];
  /** True if the recognizer detects the end of turns. */
  readonly judgesTurns: boolean;
  /** True if one speech-to-speech model replaces recognizer, model and synthesizer. */
  readonly isRealtime: boolean;
  /** Delays the first message until the far end sends media, because its receiving path may not be open before that. */
  readonly greetsWhenHeard: boolean;
  /** True if the line supports transfers. */
  readonly canTransfer: boolean;
  /** True if the line can send DTMF. */
  readonly canPressKeys: boolean;
  /** Answering-machine detection of an outbound call; null without it. */
  readonly answering: AnsweringConfig | null;
  readonly maxDurationMs: number;
  /** Said before the agent hangs up because a budget is used up. */
  readonly farewell: string;
  /** Maximum requests with tool results within one turn; the request after them has no tools. */
  readonly maxToolSteps: number;
}

interface AnsweringConfig {
  readonly settings: AmdSettings;
  /** Left on a voicemail after its beep; null hangs up instead. */
  readonly voicemailMessage: string | null;
}
