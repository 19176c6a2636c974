import type { CallLatency, ConversationNotice, EndReason, TranscriptMessage } from '@va/core';
import type { LlmRequest } from '@va/core/adapter';

/** Result of a simulated conversation. Times are milliseconds since the call was answered. */
export interface SimulatedConversation {
  /** Transcript of the call's record. */
  readonly transcript: readonly TranscriptMessage[];
  /** The transcript with times: one line per user turn, and per segment of the agent's speech. */
  readonly lines: readonly SpokenLine[];
  /** Tool calls in order, including built-in tools. */
  readonly tools: readonly SimulatedToolCall[];
  /** All events of the conversation. */
  readonly events: readonly { readonly atMs: number; readonly notice: ConversationNotice }[];
  readonly latency: CallLatency | null;
  readonly endReason: EndReason;
  /** Message of the error that ended the call; null if there was none. */
  readonly error: string | null;
  readonly durationMs: number;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Requests to the model in order. */
  readonly requests: readonly Pick<LlmRequest, 'messages' | 'tools'>[];
}

/** One line of a simulated conversation, spoken by either side. */
export interface SpokenLine {
  readonly speaker: 'agent' | 'caller';
  /** Text of the line. The agent's has only the words that were heard. */
  readonly text: string;
  /** Start of the agent's speech, or end of the caller's turn. */
  readonly atMs: number;
}

/** Tool call of a simulated conversation. Times are in milliseconds of virtual time. */
export interface SimulatedToolCall {
  readonly id: string;
  readonly name: string;
  /** The parsed arguments, or the model's text if it is not JSON. */
  readonly args: unknown;
  readonly atMs: number;
  /** Duration in milliseconds; null for a call without an outcome. */
  readonly durationMs: number | null;
  /** Outcome as passed to the model: a result, or an error. */
  readonly outcome: { readonly result: unknown } | { readonly error: string } | null;
}
