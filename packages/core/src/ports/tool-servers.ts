import type { ToolOutcome } from '../domain/calls/tool-outcome.ts';
import { VaError } from '../errors.ts';
import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';

/** A server of tools: a customer's own by its URL, or one of the host's by its name. */
export type ToolServerAddress =
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }
  | { readonly name: string };

/** A tool as its server lists it. */
export interface ServedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, of type object. */
  readonly parameters: Record<string, unknown>;
}

/** A server of tools failed. The message may be shown to the customer. */
export class ToolServerError extends VaError {
  constructor(
    fault: 'unknown' | 'refused' | 'unreachable' | 'timeout' | 'protocol',
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(`tool_server_${fault}`, message, options);
  }
}

/** Options of a session with a tool server. */
export interface ToolServerSessionOptions {
  readonly server: ToolServerAddress;
  readonly orgId: string;
  /** The call whose agent uses the tools; null while an agent is checked. */
  readonly callId: string | null;
  /** Logger of the call; by default that of the service. */
  readonly logger?: Logger | undefined;
}

/** A tool call for a tool server. */
export interface ServedToolCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
  /** Id of the tool call, unique within its phone call. */
  readonly toolCallId: string;
  readonly timeoutMs: number;
  /** Cancels the tool call on the server too. */
  readonly signal: AbortSignal;
}

/** Session of a phone call, or of an agent's check, with a tool server. Connects on use, and again after a loss. */
export interface ToolServerSession {
  /**
   * Returns the tools of the server, possibly from a cache shared with other sessions.
   * @throws ToolServerError
   */
  list(options: { readonly timeoutMs: number }): Promise<readonly ServedTool[]>;
  /** Calls a tool. MUST NOT reject: failures are outcomes, with messages that the model may see. */
  call(request: ServedToolCall): Promise<ToolOutcome>;
  /** Ends the session. MUST NOT throw. */
  close(): void;
}

/** Client of servers that offer tools, such as MCP servers. */
export interface ToolServers {
  start(host: { readonly clock: Clock; readonly logger: Logger }): void;
  /** Creates a session, which connects on first use. Its methods fail if the organization may not use the server. */
  open(options: ToolServerSessionOptions): ToolServerSession;
  /** Ends all sessions. */
  close(): Promise<void>;
}
