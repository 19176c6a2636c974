import type { AmdVerdict } from '@va/language';
import type { FunctionTool } from '../../domain/agents/tool.ts';
import type { TurnLatency } from '../../domain/calls/call.ts';
import type { ChatMessage, ToolCallRequest } from '../../ports/providers/language-model.ts';
import type { TransferMode, TransferOutcome } from '../../ports/telephony.ts';
import type { ConversationConfig } from './config.ts';
import type { Ending } from './phase.ts';
import type { ToolOutcome } from './tool-ledger.ts';

/** What listeners are told while the conversation runs. */
export type ConversationNotice =
  | { type: 'user-speaking' }
  /** Who, or what, has answered a call that was placed. */
  | { type: 'answered-by'; kind: AmdVerdict['kind'] }
  | { type: 'user-turn'; text: string }
  /** The caller begins to hear this. */
  | { type: 'agent-speaking'; text: string }
  /** What was heard of it in the end. */
  | { type: 'agent-spoke'; full: string; heard: string; interrupted: boolean }
  | { type: 'interrupted' }
  /** What interrupted was none: the agent goes on where it stopped. */
  | { type: 'resumed' }
  | { type: 'tool-call'; call: ToolCallRequest }
  | { type: 'tool-result'; callId: string; name: string; outcome: ToolOutcome }
  /** The caller is handed over; `reason` says why one that did not come about did not. */
  | {
      type: 'transfer';
      destination: string;
      mode: TransferMode;
      status: 'started' | TransferOutcome['type'];
      reason: string | null;
    }
  | { type: 'latency'; turn: TurnLatency };

/** What the runner carries out. */
export type Effect =
  | { type: 'start-llm'; generation: number; messages: readonly ChatMessage[]; withTools: boolean }
  | { type: 'cancel-llm'; generation: number }
  /**
   * `fixed` is a text that is the same in other calls. Where a speech-to-speech model speaks by itself, `generation` is
   * the reply whose voice it is.
   */
  | { type: 'open-utterance'; utterance: number; generation: number | null; fixed: boolean }
  | { type: 'speak'; utterance: number; text: string }
  /** All text of the utterance has been given. */
  | { type: 'end-utterance'; utterance: number }
  | { type: 'cancel-utterance'; utterance: number }
  /** All audio of the utterance has been given to the playout. */
  | { type: 'finish-playout'; utterance: number }
  | { type: 'clear-playout' }
  /** The far end hears nothing more of the agent until it is resumed, from the same sample, or cleared. */
  | { type: 'pause-playout' }
  | { type: 'resume-playout' }
  | { type: 'stt-speech-started' }
  /** The caller's audio is to be silence for the recognizer from here on, or no longer. */
  | { type: 'caller-muted'; isMuted: boolean }
  /** What was heard up to now belongs to this turn, or part of one. */
  | { type: 'finalize-stt'; turn: number }
  /** For a model that remembers the conversation by itself: what it could not hear … */
  | { type: 'model-told'; role: 'user' | 'system'; text: string }
  | { type: 'model-instructed'; systemPrompt: ConversationConfig['systemPrompt'] }
  | { type: 'tool-output'; callId: string; output: string }
  /** … and how much of what it said was heard. */
  | { type: 'cut-short'; utterance: number; playedMs: number }
  | { type: 'run-tool'; call: ToolCallRequest; tool: FunctionTool; arguments: Record<string, unknown> }
  /** The telephony is to hand the caller over. */
  | { type: 'transfer'; id: number; destination: string; mode: TransferMode; summary: string | null }
  | { type: 'cancel-transfer'; id: number }
  | { type: 'notice'; notice: ConversationNotice }
  /** The conversation is over: hang up and let go of everything. */
  | { type: 'hang-up'; ending: Ending };

/** What the telephony carries out. */
export type LegEffect = Extract<Effect, { type: 'transfer' | 'cancel-transfer' }>;
/** What recognizer, model, synthesizer, playout and tools carry out. */
export type VoiceEffect = Exclude<Effect, LegEffect | { type: 'notice' | 'hang-up' }>;

export type Emit = (effect: Effect) => void;
