import type { IncomingHttpHeaders } from 'node:http';

/** API that a chat server speaks: Anthropic's Messages API, or Gemini's `streamGenerateContent`. */
export type ChatDialectName = 'anthropic' | 'generate-content';

/** Reply of the model: text word by word, then tool calls. */
export interface ChatReply {
  readonly text?: string;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly input: object }[];
  /** Tokens of the prompt that were read from the cache; 0 by default. */
  readonly cachedTokens?: number;
}

/** An error of the service in its own words, such as `overloaded_error` or `RESOURCE_EXHAUSTED`. */
export interface ChatError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

/** Fault of the next request to a chat server. */
export type ChatFault =
  /** An HTTP error. */
  | { readonly status: number; readonly type?: string }
  /** An error event in a response of status 200, after the first word or before it. */
  | { readonly streams: ChatError; readonly before?: 'text' }
  /**
   * `hang` never responds. After the first word, `stall` sends nothing more, `break` closes the connection, and
   * `truncate` ends the response.
   */
  | 'hang'
  | 'stall'
  | 'break'
  | 'truncate'
  /** Sends an event that is not JSON. */
  | 'garbage';

/** One request as the server received it. */
export interface ChatRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
  /** True if the client disconnected before the response was complete. */
  aborted: boolean;
}

/** The protocol of one vendor. */
export interface ChatDialect {
  /** Path of the base URL that the vendor's client is given. */
  readonly basePath: string;
  /** Returns the error response to a request that the vendor refuses; null for other requests. */
  refusalOf(request: ChatRequest): ChatError | null;
  /** Returns the body of an error response, and of an error event. */
  errorBody(error: ChatError): object;
  /** Returns the events of a reply: before the first word, each word or call, and the end. */
  eventsOf(reply: ChatReply, request: ChatRequest): ChatEvents;
}

/** Server-sent events of a reply, in order: before the first word, one for each word or call, and the end. */
interface ChatEvents {
  readonly opening: readonly object[];
  readonly content: readonly object[];
  readonly ending: readonly object[];
}

/** Number of prompt tokens that every reply reports. */
export const promptTokens = 100;

/** Splits a text into words, each with the space after it. */
export function wordsOf(text = ''): string[] {
  return [...text.matchAll(/\S+\s*/g)].map(([word]) => word);
}
