import type { LlmConfig } from '../../domain/agents/agent.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { AudioFormat } from '../media/audio-format.ts';
import type { ChatMessage, LlmTool, ToolCallRequest } from './language-model.ts';
import type { ModelUsage } from './model-usage.ts';
import type { ProviderTraits } from './provider-traits.ts';

/**
 * Events of a session. `response` is the number passed to `respond`, `item` the provider's id of a message. No event of
 * a response follows its `response-done`; after `cancel()` only `response-done` follows.
 */
export type RealtimeEvent =
  /** Transcript of a committed turn; may arrive long after the reply. Empty if nothing was understood. */
  | { type: 'user-text'; turn: number; text: string }
  /** A chunk of the response's audio in the agreed format, of any length. */
  | { type: 'audio'; response: number; item: string; audio: Uint8Array }
  /** A chunk of the transcript of the response's audio. */
  | { type: 'text'; response: number; item: string; text: string }
  /** Emitted once per tool call, when its arguments are complete. */
  | { type: 'tool-call'; response: number; call: ToolCallRequest }
  /** Tokens of responses and transcriptions since the last `usage` event, if the provider counts them. */
  | { type: 'usage'; usage: ModelUsage }
  | { type: 'response-done'; response: number; status: 'completed' | 'cancelled' }
  /** The response failed; the session continues. */
  | { type: 'response-failed'; response: number; retryable: boolean; message: string };

/** Options of a session with a speech-to-speech model. */
export interface RealtimeSessionOptions {
  readonly config: LlmConfig;
  readonly instructions: string;
  readonly tools: readonly LlmTool[];
  /** Conversation before the session, when it takes over a call. */
  readonly history: readonly ChatMessage[];
  /** Key terms of the call. An adapter whose transcription takes none ignores them. */
  readonly hints?: readonly string[];
  /** Format of the audio that `send` takes: one of the provider's `inputFormats`. */
  readonly inputFormat: AudioFormat;
  /** Required format of `audio` events: one of the provider's `outputFormats`. */
  readonly outputFormat: AudioFormat;
  /** The organization's key, which MUST be used instead of the adapter's. */
  readonly apiKey?: string;
  /** Ends the session at once, without further events. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * One call's session with a speech-to-speech model. The pipeline decides on turns, as in a cascade: the provider's own
 * turn detection MUST be off. Iteration ends when the session is closed or aborted, and throws a `ProviderError` when
 * the provider is lost for good; before that an adapter reconnects by its own policy, and renews the session before the
 * provider's limit, each time with the conversation so far.
 */
export interface RealtimeSession extends AsyncIterable<RealtimeEvent> {
  /**
   * Takes the caller's audio, only while there may be speech. The buffer is valid until the method returns: copy what
   * is kept. MUST NOT block, and MUST bound its buffers.
   */
  send(audio: Uint8Array): void;
  /**
   * Commits the audio since the last commit as a turn with this number, which `user-text` will refer to. The turn may
   * be a noise without words: the pipeline cannot know before the model has heard it.
   */
  commit(turn: number): void;
  /** Adds text instead of audio: DTMF input, or instructions to the model. */
  addMessage(role: 'user' | 'system', text: string): void;
  addToolResult(callId: string, output: string): void;
  /**
   * Requests a response with this number, which is used once. At most one response is active at the provider: further
   * requests wait. With `say`, the response is exactly that text, and stays out of the model's conversation as far as
   * the provider allows.
   */
  respond(response: number, options: { readonly withTools: boolean; readonly say?: string }): void;
  /** Cancels a response; safe in every state. */
  cancel(response: number): void;
  /** Truncates an item in the model's conversation to the audio that the caller heard. */
  truncate(item: string, heardMs: number): void;
  update(changes: { readonly instructions: string }): void;
  close(): void;
}

/** A speech-to-speech provider. */
export interface RealtimeModel extends ProviderTraits {
  readonly kind: 'realtime';
  /** Value of `llm_config.provider` that selects this provider. */
  readonly id: string;
  /** Other names that `llm_config.provider` may have for it. */
  readonly aliases?: readonly string[];
  /** Accepted input and available output formats, the preferred ones first. */
  readonly inputFormats: readonly AudioFormat[];
  readonly outputFormats: readonly AudioFormat[];
  open(options: RealtimeSessionOptions): RealtimeSession;
}
