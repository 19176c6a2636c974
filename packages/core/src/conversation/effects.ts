import type { TurnLatency } from '../domain/call.ts';
import type { FunctionTool } from '../domain/tool.ts';
import type { ChatMessage, ToolCallRequest } from '../ports/language-model.ts';
import type { Ending } from './config.ts';
import type { ToolOutcome } from './tool-ledger.ts';

/** What listeners are told while the conversation runs. */
export type ConversationNotice =
  | { type: 'user-speaking' }
  | { type: 'user-turn'; text: string }
  /** The caller begins to hear this. */
  | { type: 'agent-speaking'; text: string }
  /** What was heard of it in the end. */
  | { type: 'agent-spoke'; full: string; heard: string; interrupted: boolean }
  | { type: 'interrupted' }
  | { type: 'tool-call'; call: ToolCallRequest }
  | { type: 'tool-result'; callId: string; name: string; outcome: ToolOutcome }
  | { type: 'latency'; turn: TurnLatency };

/** What the runner carries out. */
export type Effect =
  | { type: 'start-llm'; generation: number; messages: readonly ChatMessage[]; withTools: boolean }
  | { type: 'cancel-llm'; generation: number }
  | { type: 'open-utterance'; utterance: number }
  | { type: 'speak'; utterance: number; text: string }
  /** All text of the utterance has been given. */
  | { type: 'end-utterance'; utterance: number }
  | { type: 'cancel-utterance'; utterance: number }
  /** All audio of the utterance has been given to the playout. */
  | { type: 'finish-playout'; utterance: number }
  | { type: 'clear-playout' }
  | { type: 'stt-speech-started' }
  | { type: 'finalize-stt' }
  | { type: 'run-tool'; call: ToolCallRequest; tool: FunctionTool; arguments: Record<string, unknown> }
  | { type: 'notice'; notice: ConversationNotice }
  /** The conversation is over: hang up and let go of everything. */
  | { type: 'hang-up'; ending: Ending };

export type Emit = (effect: Effect) => void;
