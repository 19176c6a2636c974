import type { ToolCallRequest } from '../../../ports/providers/language-model.ts';
import type { ConversationConfig } from '../config.ts';
import type { TurnEnd } from './agent-turn.ts';

/** A reply that is requested from the model once the floor is free. */
export interface DueReply {
  readonly answers: TurnEnd | null;
  readonly toolSteps: number;
}

/** A reply that the model prepares while the user turn may still go on. None of it is used before the turn ends. */
export interface Preemption {
  readonly generation: number;
  /** The caller's words that it answers. */
  readonly text: string;
  /** Length of the transcript before these words. The reply no longer fits once other entries follow. */
  readonly entries: number;
  readonly systemPrompt: ConversationConfig['systemPrompt'];
  readonly parts: readonly PreparedPart[];
  readonly done: boolean;
  /** True once its first clause is being synthesized. */
  readonly isSpeechPrepared: boolean;
}

/** Output of the model for a prepared reply, in order. */
export type PreparedPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: ToolCallRequest };

/** Replies that are not spoken yet. */
export interface Reply {
  /** Requested as soon as the floor is free. */
  readonly due: DueReply | null;
  readonly preemption: Preemption | null;
}
