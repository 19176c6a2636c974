import type { SpokenOptions } from '@va/language';
import type { ContextSettings } from '../domain/agents/context-settings.ts';
import type { SpeechConfig } from '../domain/agents/speech-config.ts';
import type { Tool } from '../domain/agents/tool.ts';
import type { EndReason } from '../domain/calls/call.ts';
import type { AnsweringConfig } from './voicemail.ts';

/** Everything about the agent that the conversation depends on, resolved before it starts. */
export interface ConversationConfig {
  /** Spoken once the caller can hear it; null where the agent waits for the caller. */
  readonly firstMessage: string | null;
  readonly systemPrompt: readonly { role: string; content: string }[];
  readonly tools: readonly Tool[];
  /** How much of the conversation the model is given. */
  readonly context: ContextSettings;
  readonly speech: SpeechConfig;
  /** How texts are read out. */
  readonly reading: SpokenOptions;
  /** BCP 47 tag of what both sides speak, where it is known. */
  readonly language: string | undefined;
  /** Whether the recognizer tells when a turn ends. */
  readonly judgesTurns: boolean;
  /** Whether one speech-to-speech model stands in the place of recognizer, model and synthesizer. */
  readonly isRealtime: boolean;
  /** Greets only when something is heard from the far end: before that, its media may not be able to get through. */
  readonly greetsWhenHeard: boolean;
  /** Whether the line can hand the caller over to somebody else. */
  readonly canTransfer: boolean;
  /** How a call that was placed finds out who has answered; null where nobody has to be found out. */
  readonly answering: AnsweringConfig | null;
  readonly maxDurationMs: number;
  /** How often one turn may go back to the model with tool results before it has to answer without tools. */
  readonly maxToolSteps: number;
}

/** How the conversation came to its end. */
export interface Ending {
  readonly reason: EndReason;
  /** What failed, for an ending that is an error. */
  readonly error: string | null;
}

/** The last frames have left, but the far end still plays its buffer: hanging up waits so long. */
export const hangupTailMs = 300;
/** A goodbye that never finishes does not keep the line open longer than this. */
export const closingLimitMs = 30_000;
