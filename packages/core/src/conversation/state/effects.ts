import type { AmdVerdict } from '@va/language';
import type { TurnLatency } from '../../domain/calls/call.ts';
import type { ToolOutcome } from '../../domain/calls/tool-outcome.ts';
import type { BudgetStatus } from '../../domain/costs/budget-level.ts';
import type { ChatMessage, ToolCallRequest } from '../../ports/providers/language-model.ts';
import type { TransferMode, TransferOutcome } from '../../ports/telephony.ts';
import type { KeyPress } from './agent/agent-turn.ts';
import type { ConversationConfig } from './config.ts';
import type { Ending } from './phase.ts';
import type { ExternalTool } from './tools/call-tool.ts';

/** Notices for listeners of the conversation. */
export type ConversationNotice =
  | { type: 'user-speaking' }
  /** Result of answering-machine detection. */
  | { type: 'answered-by'; kind: AmdVerdict['kind'] }
  | { type: 'user-turn'; text: string }
  /** The caller begins to hear this text. */
  | { type: 'agent-speaking'; text: string }
  /** An utterance has ended or was cut off: the text of its reply, and the part of it heard so far. */
  | { type: 'agent-spoke'; full: string; heard: string; interrupted: boolean }
  | { type: 'interrupted' }
  /** A false interruption: the agent continues where it stopped. */
  | { type: 'resumed' }
  | { type: 'tool-call'; call: ToolCallRequest }
  | { type: 'tool-result'; callId: string; name: string; outcome: ToolOutcome }
  /** Status of a transfer; `reason` explains a failed one. */
  | {
      type: 'transfer';
      destination: string;
      mode: TransferMode;
      status: 'started' | TransferOutcome['type'];
      reason: string | null;
    }
  /** A person has begun to speak with the caller in the agent's place, or has stopped. */
  | { type: 'take-over'; status: 'started' | 'ended' }
  /** The caller speaks another of the agent's languages, in which the conversation goes on. */
  | { type: 'language-changed'; language: string }
  | ({ type: 'budget' } & BudgetStatus)
  | { type: 'latency'; turn: TurnLatency };

/** Effects that the runner executes. */
export type Effect =
  | { type: 'start-llm'; generation: number; messages: readonly ChatMessage[]; withTools: boolean }
  | { type: 'cancel-llm'; generation: number }
  /**
   * Synthesizes the first clause of a prepared reply. The next utterance that is not `fixed` uses this audio if it
   * begins with the same text; otherwise the audio is dropped.
   */
  | { type: 'prepare-speech'; text: string }
  | { type: 'drop-speech' }
  /**
   * `fixed` marks a text that recurs in other calls. `generation` is the reply that a speech-to-speech model speaks
   * itself; null for a text to be synthesized or read out.
   */
  | { type: 'open-utterance'; utterance: number; generation: number | null; fixed: boolean }
  | { type: 'speak'; utterance: number; text: string }
  /** The text of the utterance is complete. */
  | { type: 'end-utterance'; utterance: number }
  | { type: 'cancel-utterance'; utterance: number }
  /** The audio of the utterance is complete. */
  | { type: 'finish-playout'; utterance: number }
  | { type: 'clear-playout' }
  /** Stops the agent's audio until it is resumed, from the same sample, or cleared. */
  | { type: 'pause-playout' }
  | { type: 'resume-playout' }
  /** Changes the level of the agent's voice; 0 dB is full, and restored by `clear-playout`. */
  | { type: 'set-voice-level'; db: number }
  /** Starts or stops the music for a caller who waits for a transfer. */
  | { type: 'set-hold'; isOnHold: boolean }
  /** Sends the voice of a person in place of the agent's audio, or ends that. */
  | { type: 'set-taken-over'; isTakenOver: boolean }
  /** Speaks the next utterances with the voice of this language. */
  | { type: 'set-language'; language: string }
  | { type: 'stt-speech-started' }
  /** Replaces the caller's audio by silence for the recognizer, or ends that. */
  | { type: 'caller-muted'; isMuted: boolean }
  /**
   * Asks the recognizer for the final words of the audio up to now, which becomes this part of a turn. `awaited` lists
   * earlier parts whose words are still expected.
   */
  | { type: 'finalize-stt'; part: number; awaited: readonly number[] }
  /** Adds text that a speech-to-speech model, which keeps the conversation itself, could not hear. */
  | { type: 'model-told'; role: 'user' | 'system'; text: string }
  | { type: 'model-instructed'; systemPrompt: ConversationConfig['systemPrompt'] }
  | { type: 'tool-output'; callId: string; output: string }
  /** Reports to a speech-to-speech model how much of its speech was heard. */
  | { type: 'cut-short'; utterance: number; playedMs: number }
  | { type: 'run-tool'; call: ToolCallRequest; tool: ExternalTool; arguments: Record<string, unknown> }
  | { type: 'cancel-tool'; callId: string }
  /** Requests a transfer from the telephony. */
  | {
      type: 'transfer';
      id: number;
      destination: string;
      mode: TransferMode;
      keysOnAnswer: string | null;
      summary: string | null;
    }
  | { type: 'cancel-transfer'; id: number }
  /** Sends DTMF to the far end. */
  | ({ type: 'press-keys' } & KeyPress)
  /** Asks the turn model about the caller's audio since a time, up to now. */
  | { type: 'ask-turn-model'; request: number; text: string; sinceMs: number }
  | { type: 'cancel-turn-model'; request: number }
  | { type: 'notice'; notice: ConversationNotice }
  /** The conversation is over: hang up and release all resources. */
  | { type: 'hang-up'; ending: Ending };

/** Effects on the telephony. */
export type LegEffect = Extract<Effect, { type: 'transfer' | 'cancel-transfer' | 'press-keys' }>;
/** Effects on the turn model. */
export type TurnModelEffect = Extract<Effect, { type: 'ask-turn-model' | 'cancel-turn-model' }>;
/** Effects on recognizer, model, synthesizer, playout and tools. */
export type VoiceEffect = Exclude<Effect, LegEffect | TurnModelEffect | { type: 'notice' | 'hang-up' }>;

export type Emit = (effect: Effect) => void;
