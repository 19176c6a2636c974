import type { LlmConfig } from '../../domain/agents/agent.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { AudioFormat } from '../media/audio-format.ts';
import type { ChatMessage, LlmTool, ToolCallRequest } from './language-model.ts';
import type { ProviderTraits } from './provider-traits.ts';

/**
 * What a session tells. `response` is the number that `respond` was given, and `item` the provider's id of a message.
 * Nothing of a response comes after its `response-done`, nor after `cancel()`, but that.
 */
export type RealtimeEvent =
  /**
   * What the caller said in a turn that was committed; may come long after the reply. Empty where nothing was
   * understood.
   */
  | { type: 'user-text'; turn: number; text: string }
  /** A piece of the response's speech, in the agreed format, cut anywhere. */
  | { type: 'audio'; response: number; item: string; audio: Uint8Array }
  /** The words of that speech, a piece at a time. */
  | { type: 'text'; response: number; item: string; text: string }
  /** Emitted once per call, when its arguments are complete. */
  | { type: 'tool-call'; response: number; call: ToolCallRequest }
  | { type: 'response-done'; response: number; status: 'completed' | 'cancelled' }
  /** This response failed, the session goes on. */
  | { type: 'response-failed'; response: number; retryable: boolean; message: string };

export interface RealtimeSessionOptions {
  readonly config: LlmConfig;
  readonly instructions: string;
  readonly tools: readonly LlmTool[];
  /** What was said before the session, for one that takes a conversation over. */
  readonly history: readonly ChatMessage[];
  /** Words that the caller may say, for a provider whose transcription takes some. */
  readonly hints?: readonly string[];
  /** What `send` will carry and `audio` must carry: of the provider's formats. */
  readonly inputFormat: AudioFormat;
  readonly outputFormat: AudioFormat;
  /** The organization's own key, which MUST then be used in the place of the adapter's. */
  readonly apiKey?: string;
  /** Ends the session at once, with no further event. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * One call's session with a speech-to-speech model. Whose turn it is the pipeline decides, as in a cascade: the
 * provider's own turn detection MUST be off. Iterating ends when the session is closed or aborted, and throws a
 * `ProviderError` when the provider is lost for good; an adapter reconnects by its own policy before that, and renews
 * the session before the provider's limit, each time with the conversation so far.
 */
export interface RealtimeSession extends AsyncIterable<RealtimeEvent> {
  /**
   * The caller's audio, only while there may be speech. The bytes are the adapter's until it returns: what it keeps, it
   * copies. Never blocks; an adapter MUST bound what it buffers.
   */
  send(audio: Uint8Array): void;
  /**
   * What was sent since the last commit is a turn of the caller's, with this number; `user-text` will name it. It may
   * turn out to be a noise, and then is no more than a turn without words: the pipeline cannot know before the model
   * has heard it.
   */
  commit(turn: number): void;
  /** Text in the place of speech: a turn of keys, or what the model is told. */
  addMessage(role: 'user' | 'system', text: string): void;
  addToolResult(callId: string, output: string): void;
  /**
   * Asks for a response, with this number; a number is used once. At most one is active at the provider: a request
   * waits for the end of the one before it. With `say`, the response is to be exactly that text, and stays out of what
   * the model takes for its own thoughts as far as the provider allows.
   */
  respond(response: number, options: { readonly withTools: boolean; readonly say?: string }): void;
  /** Gives up a response; safe in every state. */
  cancel(response: number): void;
  /** The caller heard only so much of an item's audio: the model's memory of it ends there. */
  truncate(item: string, heardMs: number): void;
  update(changes: { readonly instructions: string }): void;
  close(): void;
}

/** A speech-to-speech provider. */
export interface RealtimeModel extends ProviderTraits {
  readonly kind: 'realtime';
  /** The name that `llm_config.provider` selects it by, and others for it. */
  readonly id: string;
  readonly aliases?: readonly string[];
  /** Accepted input and producible output, the preferred ones first. */
  readonly inputFormats: readonly AudioFormat[];
  readonly outputFormats: readonly AudioFormat[];
  open(options: RealtimeSessionOptions): RealtimeSession;
}
