import type { LlmConfig } from '../../domain/agents/agent.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { ProviderTraits } from './provider-traits.ts';

export interface ToolCallRequest {
  readonly id: string;
  readonly name: string;
  /** JSON text, complete. */
  readonly arguments: string;
}

/** The conversation as a chat model sees it. */
export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: readonly ToolCallRequest[] }
  | { role: 'tool'; toolCallId: string; content: string };

export interface LlmTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, of type object. */
  readonly parameters: Record<string, unknown>;
}

export type LlmEvent =
  | { type: 'text'; text: string }
  /** Emitted once per call, when its arguments are complete. */
  | { type: 'tool-call'; call: ToolCallRequest };

export interface LlmRequest {
  readonly config: LlmConfig;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly LlmTool[];
  /** The organization's own key, which MUST then be used in the place of the adapter's. */
  readonly apiKey?: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A language-model provider. */
export interface LanguageModel extends ProviderTraits {
  readonly kind: 'llm';
  /** The name that `llm_config.provider` selects it by. */
  readonly id: string;
  /** Iterating ends with the reply, ends early on abort, and throws a `ProviderError` when the provider fails. */
  stream(request: LlmRequest): AsyncIterable<LlmEvent>;
  /**
   * Called while a call rings: what the first request needs (a client, a connection) may be made ready. Returns at
   * once; whatever goes wrong shows in the request.
   */
  connect?(options: Omit<LlmRequest, 'messages' | 'tools'>): void;
}
