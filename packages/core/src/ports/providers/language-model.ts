import type { LlmConfig } from '../../domain/agents/agent.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { ModelUsage } from './model-usage.ts';
import type { ProviderTraits } from './provider-traits.ts';

/** A tool call that the model requests. */
export interface ToolCallRequest {
  readonly id: string;
  readonly name: string;
  /** Complete JSON text. */
  readonly arguments: string;
}

/** The conversation as a chat model sees it. */
export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: readonly ToolCallRequest[] }
  | { role: 'tool'; toolCallId: string; content: string };

/** A tool that the model may call. */
export interface LlmTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, of type object. */
  readonly parameters: Record<string, unknown>;
}

/** An event of a streamed reply. */
export type LlmEvent =
  | { type: 'text'; text: string }
  /** Emitted once per tool call, when its arguments are complete. */
  | { type: 'tool-call'; call: ToolCallRequest }
  /** Tokens of request and reply, if the provider counts them. Emitted at most once, after the reply's content. */
  | { type: 'usage'; usage: ModelUsage };

/** A request to a language model. */
export interface LlmRequest {
  readonly config: LlmConfig;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly LlmTool[];
  /** Organization of the conversation, for limits per organization. */
  readonly orgId?: string;
  /** The organization's key, which MUST be used instead of the adapter's. */
  readonly apiKey?: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A language-model provider. */
export interface LanguageModel extends ProviderTraits {
  readonly kind: 'llm';
  /** Value of `llm_config.provider` that selects this provider. */
  readonly id: string;
  /**
   * Streams a reply. Iteration ends with the reply or on abort, and throws a `ProviderError` when the provider fails.
   */
  stream(request: LlmRequest): AsyncIterable<LlmEvent>;
  /**
   * Called while a call rings, to prepare the first request (a client, a connection). Returns at once; errors appear in
   * the request.
   */
  connect?(options: Omit<LlmRequest, 'messages' | 'tools'>): void;
}
