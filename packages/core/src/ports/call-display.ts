import type { EndReason, TurnLatency } from '../domain/calls/call.ts';
import type { ToolOutcome } from '../domain/calls/tool-outcome.ts';

/** Permission for one call, given in advance to a far end without a number, such as a browser. */
export interface CallGrant {
  /** The id that the call will have. */
  readonly callId: string;
  /** The only origin whose pages may connect; null for any. */
  readonly origin: string | null;
}

/** Holder of the floor: `thinking` until the first sound of the agent's reply. */
export type DisplayState = 'listening' | 'thinking' | 'speaking';

/** Event for a far end that shows the conversation. */
export type DisplayEvent =
  | { readonly type: 'state'; readonly state: DisplayState }
  /** Words of the caller's turn so far, each time from its beginning; `isFinal` when the turn is complete. */
  | { readonly type: 'user-text'; readonly text: string; readonly isFinal: boolean }
  /** The agent starts to speak this text. */
  | { readonly type: 'agent-text'; readonly text: string }
  /** The agent has finished or was interrupted: the part of its text that was played to the caller. */
  | { readonly type: 'agent-heard'; readonly text: string; readonly interrupted: boolean }
  | { readonly type: 'tool-started'; readonly id: string; readonly name: string }
  | { readonly type: 'tool-ended'; readonly id: string; readonly name: string; readonly ok: boolean }
  | { readonly type: 'latency'; readonly latency: TurnLatency }
  /** The last event; the call is hung up next. */
  | { readonly type: 'ended'; readonly reason: EndReason };

/** A tool call, as a call display shows it. */
export interface DisplayedToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The far end's display of a conversation. No method may throw. */
export interface CallDisplay {
  show(event: DisplayEvent): void;
  /**
   * Runs a tool at the far end. Failures are outcomes.
   * @param signal aborts when the result is no longer of interest
   */
  runTool?(call: DisplayedToolCall, signal: AbortSignal): Promise<ToolOutcome>;
}

/** Input of a call's far end beside speech. */
export interface CallerInput {
  /** Takes text that the caller typed, as a complete user turn that interrupts the agent. Ignored before the answer. */
  text(text: string): void;
}
