import type { CallLatency, ConversationNotice, EndReason, LlmRequest, TranscriptMessage } from '@va/core';

/** What came of a simulated conversation. Times are milliseconds since the call was answered. */
export interface SimulatedConversation {
  /** What was said and heard, as the call's record has it. */
  readonly transcript: readonly TranscriptMessage[];
  /** The same with its times, piece by piece as it was spoken. */
  readonly lines: readonly SpokenLine[];
  /** The calls of tools, the built-in ones too, in order. */
  readonly tools: readonly SimulatedToolCall[];
  /** All that the service told of the conversation. */
  readonly events: readonly { readonly atMs: number; readonly notice: ConversationNotice }[];
  readonly latency: CallLatency | null;
  readonly endReason: EndReason;
  /** What failed, for an ending that is an error. */
  readonly error: string | null;
  readonly durationMs: number;
  readonly variables: Readonly<Record<string, unknown>>;
  /** What the model was asked, request by request. */
  readonly requests: readonly Pick<LlmRequest, 'messages' | 'tools'>[];
}

export interface SpokenLine {
  readonly speaker: 'agent' | 'caller';
  /** Of the agent's words, those that were heard. */
  readonly text: string;
  /** When the agent began to say it; when the caller's turn was over. */
  readonly atMs: number;
}

export interface SimulatedToolCall {
  readonly id: string;
  readonly name: string;
  /** The parsed arguments; the text that the model wrote where it is not JSON. */
  readonly args: unknown;
  readonly atMs: number;
  /** Null for a call that had no outcome. */
  readonly durationMs: number | null;
  /** As the model was told: a result, or an error. */
  readonly outcome: { readonly result: unknown } | { readonly error: string } | null;
}
